from __future__ import annotations

import re

import pytest

from mira.errors import WorkspaceError
from mira.store.settings import SETTINGS_TEXT, Settings, read_settings


def test_the_file_of_a_new_workspace_says_nothing_and_shows_every_default(tmp_path):
    path = tmp_path / "mira.toml"
    path.write_text(SETTINGS_TEXT)
    assert read_settings(path) == Settings()
    shown = re.sub(r"^# (\w+ = )", r"\1", SETTINGS_TEXT, flags=re.MULTILINE)
    path.write_text(shown)
    assert read_settings(path) == Settings()
    for table in Settings.model_fields:
        for setting in Settings.model_fields[table].annotation.model_fields:
            assert re.search(rf"^{setting} = ", shown, flags=re.MULTILINE)


def test_a_missing_file_means_the_defaults(tmp_path):
    assert read_settings(tmp_path / "mira.toml") == Settings()


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("[questions]\nsede = 3", "questions.sede"),
        ("[export]\nsplit = 3", "export.split"),
        ("[export", "expected TOML"),
    ],
)
def test_a_bad_setting_is_named_in_one_line(tmp_path, text, fault):
    path = tmp_path / "mira.toml"
    path.write_text(text)
    with pytest.raises(WorkspaceError, match=fault) as raised:
        read_settings(path)
    assert "\n" not in str(raised.value)
    assert "mira.toml" in str(raised.value)
