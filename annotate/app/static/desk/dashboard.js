// What was done, and how often people agree.
import { call } from "./calling.js";
import { createFlags } from "./flags.js";
import { make } from "../viewer/making.js";

const ROLES = ["annotator", "reviewer", "adjudicator", "admin"];
const number = (value) => value.toLocaleString("en");
const percent = (value) => (value === null ? "–" : `${value.toFixed(1)} %`);
const FEW = 5;
const kappa = ({ kappa: value, pairs }) => (value === null || pairs < FEW ? "–" : value.toFixed(2));

// The first columns are words, the others numbers.
const table = (title, heads, rows, words = 1) => make("section", "card", {}, make("h2", "", {}, title), rows.length === 0 ? make("p", "soft", {}, "Nothing yet was reviewed by two people.") :
  make("div", "wide", {}, make("table", "", {}, make("thead", "", {}, make("tr", "", {}, ...heads.map((head, k) => make("th", k < words ? "" : "number", {}, head)))),
    make("tbody", "", {}, ...rows.map((cells) => make("tr", "", {}, ...cells.map((cell, k) => make("td", k < words ? "" : "number", {}, String(cell)))))))));

const bar = ({ items, accepted, rejected, disputed, waiting }) => {
  const parts = { accepted, rejected, disputed, waiting };
  const told = Object.entries(parts).map(([name, value]) => make("li", `part ${name}`, { "data-count": name }, make("b", "", {}, number(value)), ` ${name}`));
  const drawn = Object.entries(parts).filter(([, value]) => value > 0).map(([name, value]) => {
    const one = make("i", name);
    one.style.flexGrow = String(value);
    return one;
  });
  return make("section", "card", {}, make("h2", "", {}, `${number(items)} questions`), make("div", "meter", { "aria-hidden": "true" }, ...drawn), make("ul", "parts", {}, ...told));
};

const invitation = (shell) => {
  const select = make("select", "", { "aria-label": "Role", "data-invite-role": "" }, ...ROLES.map((role) => make("option", "", { value: role }, role)));
  const button = make("button", "main-button", { type: "button", "data-invite": "" }, "Make an invitation");
  const link = make("output", "link", { "data-invitation": "" });
  select.value = "reviewer";
  button.addEventListener("click", async () => {
    try {
      const { path } = await call("/api/invitation", { role: select.value });
      link.textContent = location.origin + path;
    } catch (error) { shell.say(error.message, "bad"); }
  });
  return make("section", "card", {}, make("h2", "", {}, "Let somebody in"),
    make("p", "soft", {}, "A link that lets one person in, once, within a day. Who has it comes in, so send it privately."),
    make("div", "invite", {}, select, button), link);
};

/** The page of figures; who may manage also invites here. */
export const createDashboard = (me, shell) => {
  const root = make("div", "dashboard", {});
  const show = async () => {
    try {
      const found = await call("/api/figures");
      const subtasks = Object.entries(found.by_subtask).map(([name, one]) => [one.name ?? name, number(one.pairs), percent(one.percent), kappa(one)]);
      const people = found.people.map((one) => [one.name, one.role, number(one.verdicts), number(one.rulings), number(one.answers), number(one.baseline), number(one.on_desk), number(one.agreement.pairs), percent(one.agreement.percent), kappa(one.agreement)]);
      root.replaceChildren(bar(found), createFlags(shell),
        table("People", ["Name", "Role", "Verdicts", "Rulings", "Answers", "Baseline", "On desk", "Reviewed with another", "Agree", "κ"], people, 2),
        table("Agreement by sub-task", ["Sub-task", "Reviewed by two", "Agree", "κ"], subtasks),
        ...(me.may.includes("manage") ? [invitation(shell)] : []));
      root.dataset.ready = "dashboard";
    } catch (error) { shell.say(error.message, "bad"); }
  };
  show();
  return { root, leave: () => {} };
};
