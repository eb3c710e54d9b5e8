// The desk: fills the place that the page leaves for it, and turns to what the address names.
import "./viewer.js";
import { createBaseline } from "./desk/baseline.js";
import { askAs, call } from "./desk/calling.js";
import { createAuthoring } from "./desk/authoring.js";
import { createDashboard } from "./desk/dashboard.js";
import { createHelp } from "./desk/help.js";
import { createJudging } from "./desk/judging.js";
import { createKeeper } from "./desk/keeping.js";
import { createOutbox } from "./desk/outbox.js";
import { replayRemarks } from "./desk/remark_sending.js";
import { createShell } from "./desk/shell.js";
import { make } from "./viewer/making.js";

const SHEET = new URL("./desk.css", import.meta.url).href;
const MODES = [["author", "Author", "answer"], ["review", "Review", "review"], ["adjudicate", "Adjudicate", "adjudicate"]];

const REPEATABLE = /^(j|k|Backspace|Arrow\w+)$/i;
const decoded = (text) => { try { return decodeURIComponent(text); } catch { return text; } };

// The page around is drawn by a program that may take its time.
const place = () => new Promise((found) => {
  const look = () => document.getElementById("mira-desk");
  if (look()) { found(look()); return; }
  const watching = new MutationObserver(() => {
    if (!look()) return;
    watching.disconnect();
    found(look());
  });
  watching.observe(document.documentElement, { childList: true, subtree: true });
});

const start = async () => {
  const holder = make("div", "mira-desk-holder");
  const [me, around] = await Promise.all([call("/api/me"), place()]);
  askAs(me.name);
  around.append(holder);
  const shadow = holder.attachShadow({ mode: "open" });
  const sheet = make("link", "", { rel: "stylesheet", href: SHEET });
  const styled = new Promise((done) => { for (const kind of ["load", "error"]) sheet.addEventListener(kind, done, { once: true }); });
  shadow.append(sheet);
  await styled;

  const modes = [...MODES.filter(([, , act]) => me.may.includes(act)), ["baseline", "Baseline"], ["dashboard", "Dashboard"]];
  let page = null, mode = null;
  const help = createHelp(() => mode);
  const shell = createShell(me, modes, { help: help.show, again: () => { if (mode === "dashboard") turn(); } });
  const keeper = createKeeper(me.name, shell.say);
  const outbox = createOutbox(me.name, { say: shell.say, reopen: ({ image_id: id }) => call("/api/author/sheet", { image_id: id }) });
  // Within the desk, whose colours it takes.
  shell.root.append(help.root);
  shadow.append(shell.root);
  holder.dataset.person = me.name;

  const turn = () => {
    const [wanted, itemId] = location.hash.slice(1).split("/").map(decoded);
    mode = modes.some(([name]) => name === wanted) ? wanted : me.may.includes("review") ? "review" : modes[0][0];
    page?.leave();
    // Keys are for the page, not for the tab that led to it.
    shadow.activeElement?.blur();
    shell.turnedTo(mode);
    shell.say("");
    const pages = {
      author: () => createAuthoring({ shell, keeper, outbox, imageId: itemId || null }),
      baseline: () => createBaseline({ shell, keeper }),
      dashboard: () => createDashboard(me, shell),
    };
    page = (pages[mode] ?? (() => createJudging(mode, { shell, keeper, itemId: itemId || null })))();
    shell.show(page.root);
  };
  addEventListener("hashchange", turn);
  document.addEventListener("keydown", (event) => {
    if (event.altKey || event.defaultPrevented) return;
    const from = event.composedPath()[0];
    if (event.ctrlKey || event.metaKey) {
      if (help.isShown()) return;
      // A text field undoes its own.
      if (!from.matches?.("textarea, input[type=text]") && page?.pressControl?.(event.key.toLowerCase(), event.shiftKey)) event.preventDefault();
      return;
    }
    if (event.key === "Escape" && (help.hide() || from.blur?.())) return;
    const isWriting = from.matches?.("textarea, select, input:not([type=radio]):not([type=checkbox])");
    if (isWriting || help.isShown()) return;
    // Who holds a key down does not mean all that comes up meanwhile.
    if (event.repeat && !REPEATABLE.test(event.key)) return;
    if (event.key === "?") help.show();
    else if (!page?.press?.(event.key, from)) return;
    event.preventDefault();
  });
  await Promise.all([keeper.replay(), outbox.replay()]);
  replayRemarks(shell);
  turn();
};

start().catch((error) => {
  // Without its start there is nothing to show but this.
  document.body.append(make("p", "", { role: "alert" }, error.message));
});
