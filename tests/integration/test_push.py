"""A release goes to a small Hub on this machine, by the Hub's own client."""

from __future__ import annotations

import base64
import hashlib
import json
import re
import shutil
import signal
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import huggingface_hub
import pytest
from huggingface_hub import constants
from typer.testing import CliRunner

from export.build import build_release
from export.verify import verify_release
from mira.cli.app import app
from mira.errors import ExportError, MiraError, ReleaseError
from mira.schema.qa import QAPolicy
from mira.store.workspace import Workspace
from qa_gen.generate import generate_questions

TOKEN = "hf_notToBePrintedAnywhere"
REPOSITORY = "owner/mirrors"

# The client's own way to send large files without chunked storage.
pytestmark = pytest.mark.filterwarnings("ignore:Use 'content=:DeprecationWarning")


class SmallHub(ThreadingHTTPServer):
    """The part of the Hub's API that a push needs, kept in memory.

    Parquet files are large files, whose content comes before the commit that names them.
    """

    def __init__(self):
        super().__init__(("127.0.0.1", 0), _Handler)
        self.url = f"http://127.0.0.1:{self.server_port}"
        self.repositories, self.blobs, self.requests = {}, {}, []
        self.refuses = ""
        self.holds, self.is_held = threading.Event(), threading.Event()
        self.holds.set()

    def add(self, repository=REPOSITORY, *, private=False, gated=False):
        git = {".gitattributes": b"*.parquet filter=lfs\n"}
        made = {"private": private, "gated": gated, "commits": [git], "branches": {"main": 0}}
        self.repositories[repository] = made
        return made

    def files(self, revision="main", repository=REPOSITORY):
        made = self.repositories[repository]
        number = made["branches"].get(revision)
        if number is None and re.fullmatch(r"\d{40}", revision):
            number = int(revision)
        return None if number is None else made["commits"][number]

    def sent(self, start):
        """Paths of requests that begin so."""
        return [path for method, path in self.requests if f"{method} {path}".startswith(start)]


class _Handler(BaseHTTPRequestHandler):
    def log_message(self, *arguments):
        pass

    def do_GET(self):
        self._dispatch("GET")

    def do_POST(self):
        self._dispatch("POST")

    def do_PUT(self):
        self._dispatch("PUT")

    def _dispatch(self, method):
        hub = self.server
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        path = self.path.partition("?")[0].replace("%2F", "/")
        hub.requests.append((method, path))
        if hub.refuses and hub.refuses in f"{method} {path}":
            return self.say(403, {"error": "not today"})
        if method == "POST" and self.headers.get("Authorization") != f"Bearer {TOKEN}":
            return self.say(401, {"error": "who are you?"})
        for pattern, answer in _ROUTES:
            if found := re.fullmatch(pattern, f"{method} {path}"):
                return answer(self, hub, body, **found.groupdict())
        return self.say(404, {"error": "no such way"})

    def say(self, status, content, **headers):
        data = json.dumps(content).encode()
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)


def _tell(handler, hub, body, repository, revision):
    if repository not in hub.repositories:
        return handler.say(404, {}, X_Error_Code="RepoNotFound")
    files = hub.files(revision, repository)
    if files is None:
        return handler.say(404, {}, X_Error_Code="RevisionNotFound")
    made = hub.repositories[repository]
    number = made["branches"].get(revision, revision)
    told = {"id": repository, "sha": f"{int(number):040}"}
    told |= {"private": made["private"], "gated": made["gated"]}
    told["siblings"] = [_sibling(path, data) for path, data in files.items()]
    return handler.say(200, told)


def _create(handler, hub, body):
    asked = json.loads(body)
    repository = f"{asked['organization']}/{asked['name']}"
    assert asked["type"] == "dataset"
    hub.add(repository, private=asked.get("visibility") == "private")
    return handler.say(200, {"url": f"{hub.url}/datasets/{repository}"})


def _branch(handler, hub, body, repository, revision):
    branches = hub.repositories[repository]["branches"]
    branches[revision] = branches["main"]
    return handler.say(200, {})


def _check_card(handler, hub, body):
    content = json.loads(body)["content"]
    good = content.startswith("---\n")
    return handler.say(200 if good else 400, {"errors": [{"message": "no header"}]})


def _modes(handler, hub, body, repository, revision):
    modes = [
        {
            "path": one["path"],
            "uploadMode": "lfs" if one["path"].endswith(".parquet") else "regular",
            "shouldIgnore": False,
        }
        for one in json.loads(body)["files"]
    ]
    return handler.say(200, {"files": modes})


def _batch(handler, hub, body, repository):
    objects = json.loads(body)["objects"]
    for one in objects:
        if one["oid"] not in hub.blobs:
            one["actions"] = {"upload": {"href": f"{hub.url}/blobs/{one['oid']}"}}
    return handler.say(200, {"objects": objects})


def _take(handler, hub, body, digest):
    assert hashlib.sha256(body).hexdigest() == digest
    hub.is_held.set()
    hub.holds.wait(60)
    hub.blobs[digest] = body
    return handler.say(200, {})


def _commit(handler, hub, body, repository, revision):
    made = hub.repositories[repository]
    lines = [json.loads(line) for line in body.splitlines()]
    parent = lines[0]["value"]["parentCommit"]
    if int(parent) != made["branches"][revision]:
        return handler.say(412, {"error": "the branch has moved on"})
    files = dict(hub.files(revision, repository))
    for line in lines[1:]:
        value = line["value"]
        if line["key"] == "file":
            files[value["path"]] = base64.b64decode(value["content"])
        elif line["key"] == "lfsFile":
            files[value["path"]] = hub.blobs[value["oid"]]
        else:
            assert line["key"] == "deletedFile"
            del files[value["path"]]
    made["commits"].append(files)
    number = made["branches"][revision] = len(made["commits"]) - 1
    url = f"{hub.url}/datasets/{repository}/commit/{number:040}"
    return handler.say(200, {"commitUrl": url, "commitOid": f"{number:040}"})


def _sibling(path, data):
    told = {"rfilename": path, "size": len(data), "blobId": "0" * 40}
    if path.endswith(".parquet"):
        digest = hashlib.sha256(data).hexdigest()
        told["lfs"] = {"size": len(data), "sha256": digest, "pointerSize": 130}
    else:
        told["blobId"] = hashlib.sha1(b"blob %d\0" % len(data) + data).hexdigest()
    return told


_REPO = r"(?P<repository>[^/]+/[^/]+)"
_ROUTES = [
    (rf"GET /api/datasets/{_REPO}/revision/(?P<revision>.+)", _tell),
    (r"POST /api/repos/create", _create),
    (r"POST /api/validate-yaml", _check_card),
    (rf"POST /api/datasets/{_REPO}/branch/(?P<revision>.+)", _branch),
    (rf"POST /api/datasets/{_REPO}/preupload/(?P<revision>.+)", _modes),
    (rf"POST /datasets/{_REPO}\.git/info/lfs/objects/batch", _batch),
    (r"PUT /blobs/(?P<digest>[0-9a-f]{64})", _take),
    (rf"POST /api/datasets/{_REPO}/commit/(?P<revision>.+)", _commit),
]


@pytest.fixture
def hub(monkeypatch):
    """A running Hub that the client is pointed at, with a token."""
    server = SmallHub()
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    monkeypatch.setattr(constants, "ENDPOINT", server.url)
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", False)
    # Chunked storage speaks another protocol to another server.
    monkeypatch.setattr(constants, "HF_HUB_DISABLE_XET", True)
    monkeypatch.setenv("HF_TOKEN", TOKEN)
    yield server
    huggingface_hub.close_session()
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture(scope="module")
def final_once(made_once, tmp_path_factory):
    folder = tmp_path_factory.mktemp("final-once")
    workspace = Workspace.open(shutil.copytree(made_once(2, 0) / "workspace", folder / "workspace"))
    build_release(accepted(workspace), folder / "release", stage="final")
    return folder / "release"


@pytest.fixture
def final(final_once, tmp_path):
    """A release that may be published."""
    return Path(shutil.copytree(final_once, tmp_path / "release"))


def accepted(workspace):
    items = [item.model_copy(update={"review": "accepted"}) for item in workspace.items()]
    summary = workspace.qa_summary()
    workspace.put_questions(iter(items), summary=lambda: summary)
    return workspace


def push(release, *flags, repository=REPOSITORY):
    command = ["export", "push", str(release), "--repo", repository, *flags]
    done = CliRunner().invoke(app, command)
    assert TOKEN not in done.output + str(done.exception)
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    return done


def contents(folder):
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


def write(files, folder):
    for path, data in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(data)


def test_without_yes_it_tells_all_and_sends_nothing(hub, final):
    (final / "notes.txt").write_text("mine")
    done = push(final, "--private")
    assert "release, final, digest" in done.stdout
    assert f"to {REPOSITORY}, branch main: not there yet, would be made private" in done.stdout
    assert "licence: cc0-1.0" in done.stdout
    for path, data in contents(final).items():
        if path != "notes.txt":
            digest = hashlib.sha256(data).hexdigest()
            assert re.search(rf"^new +[\d.,]+ \w+ +{digest}  {path}$", done.stdout, re.M)
    assert "no part of the release, stays here: notes.txt" in done.stdout
    assert done.stdout.splitlines()[-1] == "nothing was sent; --yes sends it"
    assert {method for method, _ in hub.requests} == {"GET"}
    assert hub.repositories == {}


def test_what_arrives_is_the_release_in_one_commit_and_the_folder_stays_clean(hub, final, tmp_path):
    before = contents(final)
    done = push(final, "--private", "--yes")
    assert f"sent: {hub.url}/datasets/{REPOSITORY}/commit/" in done.stdout
    made = hub.repositories[REPOSITORY]
    assert made["private"]
    assert len(made["commits"]) == 2
    arrived = hub.files()
    assert arrived.pop(".gitattributes")
    assert arrived == before
    assert contents(final) == before
    write(arrived, tmp_path / "downloaded")
    assert verify_release(tmp_path / "downloaded") == ()


def test_a_second_release_takes_the_files_of_the_first_away_in_the_same_commit(
    hub, make_workspace, tmp_path
):
    hub.add()["commits"][0]["LICENSE"] = b"the owner's"
    releases = [tmp_path / f"{k}" / "release" for k in range(2)]
    for seed, out in enumerate(releases):
        build_release(accepted(make_workspace(f"w{seed}", seed=10 * seed)), out, stage="final")
        done = push(out, "--yes")
    gone = {path for path in contents(releases[0]) if path.endswith(".parquet")}
    for path in gone - contents(releases[1]).keys():
        assert f"of an earlier release, goes: {path}" in done.stdout
    others = {".gitattributes": b"*.parquet filter=lfs\n", "LICENSE": b"the owner's"}
    assert hub.files() == {**contents(releases[1]), **others}
    assert len(hub.repositories[REPOSITORY]["commits"]) == 3


def test_a_release_that_is_there_is_not_sent_again(hub, final):
    push(final, "--yes")
    hub.requests.clear()
    told = json.loads(push(final, "--yes", "--json").stdout)
    assert told["changes_nothing"]
    assert {one["hub"] for one in told["files"]} == {"same"}
    assert (told["sent"], told["commit"]) == (False, None)
    assert hub.sent("POST") == []


def test_what_went_up_before_a_failure_is_neither_seen_nor_sent_twice(hub, final):
    before = dict(hub.add()["commits"][0])
    hub.refuses = "/commit/"
    with pytest.raises(ExportError, match=r"did not confirm the release: .*403.*push again"):
        push(final, "--yes")
    assert hub.files() == before
    assert len(hub.sent("PUT")) == 3
    hub.refuses = ""
    hub.requests.clear()
    push(final, "--yes")
    assert hub.sent("PUT") == []
    assert hub.files().keys() == contents(final).keys() | {".gitattributes"}


def test_a_file_that_does_not_go_up_leaves_the_repository_as_it_was(hub, final):
    before = dict(hub.add()["commits"][0])
    hub.refuses = "PUT /blobs/"
    with pytest.raises(ExportError, match=r"did not confirm the release: .*403"):
        push(final, "--yes")
    assert hub.files() == before


def test_somebody_elses_commit_in_between_is_not_overwritten(hub, final, monkeypatch):
    made = hub.add()
    from export.push import sending

    def commits_first(api, plan):
        state = plan.hub
        made["commits"].append({**made["commits"][0], "other.txt": b"other"})
        made["branches"]["main"] = 1
        return state

    monkeypatch.setattr(sending, "_with_branch", commits_first)
    with pytest.raises(ExportError, match="did not confirm the release"):
        push(final, "--yes")
    assert set(hub.files()) == {".gitattributes", "other.txt"}


def test_a_branch_is_made_where_it_is_missing(hub, final):
    main = dict(hub.add()["commits"][0])
    assert "the branch would be made" in push(final, "--revision", "v1/next").stdout
    push(final, "--revision", "v1/next", "--yes")
    assert hub.files() == main
    assert hub.files("v1/next").keys() == contents(final).keys() | {".gitattributes"}


def test_a_gated_repository_is_told(hub, final):
    hub.add(gated="manual")
    assert "there, public, gated (manual)" in push(final).stdout


def test_private_is_not_promised_of_a_public_repository(hub, final):
    hub.add()
    with pytest.raises(ExportError, match="--private: the repository is there and public"):
        push(final, "--private")


def test_a_draft_goes_out_only_if_one_says_so(hub, release):
    with pytest.raises(ExportError, match=r"is a draft.*--draft"):
        push(release, "--yes")
    done = push(release, "--draft", "--yes")
    assert "[unreviewed]" in done.stdout
    assert hub.files().keys() == contents(release).keys() | {".gitattributes"}


def test_scenes_without_consent_go_to_private_repositories_alone(hub, make_workspace, tmp_path):
    workspace, out = make_workspace(), tmp_path / "release"
    scene = workspace.scene("pic_000")
    workspace.put_scene(scene.model_copy(update={"consent": "unknown"}))
    generate_questions(workspace, policy=QAPolicy())
    build_release(workspace, out)
    with pytest.raises(ExportError, match=r"may not be published \(consent-open\)"):
        push(out, "--draft", "--yes")
    assert hub.repositories == {}
    push(out, "--draft", "--private", "--yes")
    assert hub.repositories[REPOSITORY]["private"]


def test_a_release_that_does_not_hold_is_refused_in_one_line(hub, final):
    path = next((final / "qa").glob("*.parquet"))
    path.write_bytes(path.read_bytes()[:-1] + b"x")
    with pytest.raises(ReleaseError, match=r"does not hold.*\[file-changed\].*verify"):
        push(final, "--yes")
    assert hub.requests == []


@pytest.mark.parametrize("name", ["mirrors", "a/b/c", "owner/", "o wner/x", "owner/a--b", "../x"])
def test_a_name_that_the_hub_does_not_know_is_refused(hub, final, name):
    with pytest.raises(ExportError, match="--repo: expected OWNER/NAME"):
        push(final, repository=name)


def test_without_token_there_is_one_line(hub, final, monkeypatch, tmp_path):
    monkeypatch.delenv("HF_TOKEN")
    monkeypatch.setattr(constants, "HF_TOKEN_PATH", str(tmp_path / "none"))
    assert push(final).exit_code == 0
    with pytest.raises(MiraError, match=r"HF_TOKEN: no token .*\(log in with: hf auth login\)"):
        push(final, "--yes")


def test_a_token_that_the_hub_does_not_take_is_not_printed(hub, final, monkeypatch):
    monkeypatch.setenv("HF_TOKEN", "hf_somebodyElse")
    with pytest.raises(ExportError, match="did not confirm") as caught:
        push(final, "--yes")
    assert "hf_somebodyElse" not in str(caught.value)


def test_offline_the_plan_is_told_all_the_same(hub, final, monkeypatch):
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", True)
    done = push(final)
    assert "the Hub could not be asked" in done.stdout
    assert re.search(r"^unknown .*README\.md$", done.stdout, re.M)
    with pytest.raises(ExportError, match="the Hub cannot be asked"):
        push(final, "--yes")
    assert hub.requests == []


@pytest.fixture
def command(hub, final, tmp_path):
    """Start the command, at the endpoint of its environment."""
    environment = {"HF_ENDPOINT": hub.url, "HF_TOKEN": TOKEN, "HF_HUB_DISABLE_XET": "1"}
    environment |= {"PATH": "/usr/bin:/bin", "HOME": str(tmp_path)}
    words = ["export", "push", str(final), "--repo", REPOSITORY, "--yes"]

    def _start():
        return subprocess.Popen(
            [sys.executable, "-m", "mira.cli.main", *words],
            env=environment,
            cwd=Path(__file__).parents[2],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            # Who runs the tests in the background has interrupts ignored, and passes that on.
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
        )

    return _start


@pytest.mark.slow
def test_the_command_pushes_to_the_endpoint_of_the_environment(hub, final, command):
    with command() as process:
        told, said = process.communicate(timeout=120)
    assert process.returncode == 0, said
    assert told.splitlines()[-1].startswith("sent: ")
    assert TOKEN not in told + said
    # On a slow machine the first half is told too.
    assert set(said.splitlines()) - {"verifying: 1/2"} == {"verifying: 2/2"}
    assert hub.files().keys() == contents(final).keys() | {".gitattributes"}


@pytest.mark.slow
def test_an_interrupt_leaves_the_repository_as_it_was_and_tells_how_to_go_on(hub, final, command):
    before = dict(hub.add()["commits"][0])
    hub.holds.clear()
    with command() as process:
        assert hub.is_held.wait(60)
        process.send_signal(signal.SIGINT)
        hub.holds.set()
        told, said = process.communicate(timeout=120)
    assert process.returncode == 130, said
    next_line, last = said.splitlines()[-2:]
    assert next_line.startswith("Next: mira export push ")
    assert next_line.endswith(" --yes")
    assert last == "interrupted"
    assert TOKEN not in told + said
    assert hub.files() == before
    with command() as process:
        told, said = process.communicate(timeout=120)
    assert process.returncode == 0, said
    assert hub.files().keys() == contents(final).keys() | {".gitattributes"}
