// The desk: fills the place that the page leaves for it, and turns to what the address names.
import "./viewer.js";
import { call } from "./desk/calling.js";
import { createDashboard } from "./desk/dashboard.js";
import { createHelp } from "./desk/help.js";
import { createJudging } from "./desk/judging.js";
import { createKeeper } from "./desk/keeping.js";
import { createShell } from "./desk/shell.js";
import { make } from "./viewer/making.js";

const SHEET = new URL("./desk.css", import.meta.url).href;
const MODES = [["review", "Review"], ["adjudicate", "Adjudicate"]];

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
  around.append(holder);
  const shadow = holder.attachShadow({ mode: "open" });
  const sheet = make("link", "", { rel: "stylesheet", href: SHEET });
  const styled = new Promise((done) => { for (const kind of ["load", "error"]) sheet.addEventListener(kind, done, { once: true }); });
  shadow.append(sheet);
  await styled;

  const modes = [...MODES.filter(([mode]) => me.may.includes(mode)), ["dashboard", "Dashboard"]];
  const help = createHelp();
  const shell = createShell(me, modes, { help: help.show });
  const keeper = createKeeper(me.name, shell.say);
  // Within the desk, whose colours it takes.
  shell.root.append(help.root);
  shadow.append(shell.root);
  holder.dataset.person = me.name;

  let page = null;
  const turn = () => {
    const [wanted, itemId] = location.hash.slice(1).split("/").map(decodeURIComponent);
    const mode = modes.some(([name]) => name === wanted) ? wanted : modes[0][0];
    page?.leave();
    shell.turnedTo(mode);
    shell.say("");
    page = mode === "dashboard" ? createDashboard(me, shell) : createJudging(mode, { shell, keeper, itemId: itemId || null });
    shell.show(page.root);
  };
  addEventListener("hashchange", turn);
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    const from = event.composedPath()[0];
    if (event.key === "Escape" && (help.hide() || from.blur?.())) return;
    const isWriting = from.matches?.("textarea, select, input:not([type=radio]):not([type=checkbox])");
    if (isWriting || help.isShown()) return;
    if (event.key === "?") help.show();
    else if (!page?.press?.(event.key, from)) return;
    event.preventDefault();
  });
  await keeper.replay();
  turn();
};

start().catch((error) => {
  // Without its start there is nothing to show but this.
  document.body.append(make("p", "", { role: "alert" }, error.message));
});
