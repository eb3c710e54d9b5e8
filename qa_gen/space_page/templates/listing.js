// The panel: what is chosen, and lists of proposals, things and surfaces. Text is never read as HTML.
const make = (tag, className, text) => {
  const element = document.createElement(tag);
  if (className) element.className = className;
  if (text !== undefined) element.textContent = text;
  return element;
};
const STANDING = { sure: "sure", close: "close call", refused: "refused" };
const percent = (share) => (share > 0.99 && share < 1 ? "over 99 %" : `${Math.round(100 * share)} %`);

const rowsOfInstance = (one) => {
  const rows = [["seen", isReflected(one) ? `in ${one.seen_in.map((id) => named(surfaces.get(id))).join(", then ") || "no named surface"}` : "directly"]];
  if (isReflected(one) && one.seen) rows.push(["image at", inWords(one.seen.centre_m)]);
  if (one.real) rows.push([isReflected(one) ? "put back to" : "stands at", inWords(one.real.centre_m)], ["doubt", `± ${small(one.real.doubt_m)}`]);
  if (one.refusal) rows.push(["no place", one.refusal.reason]);
  const links = scene.links.filter((link) => link.reflected_id === one.instance_id || link.real_id === one.instance_id);
  for (const link of links) {
    const other = byId.get(link.reflected_id === one.instance_id ? link.real_id : link.reflected_id);
    const found = link.gap_m === null ? `untold: ${link.refusal?.reason ?? ""}`
      : link.agrees ? `${small(link.gap_m)} apart once put back: it fits (${link.sigmas.toFixed(1)}σ)` : `does not fit: ${link.refusal.reason}`;
    rows.push([`link to ${named(other)}`, found]);
  }
  const thing = things.get(one.thing);
  if (thing.box) {
    const size = sub(thing.box.high_m, thing.box.low_m).map((side) => side.toFixed(2)).join(" × ");
    const which = thing.rests_on.map((id) => named(byId.get(id))).join(", ");
    rows.push(["whole thing", `${size} m, by ${which}`]);
  }
  return rows;
};
const rowsOfSurface = (one) => {
  if (one.refusal) return [["no plane", one.refusal.reason]];
  const rows = [
    ["plane", `${metres(one.offset_m)} from the camera at its nearest`],
    ["rests on", { surroundings: "what is around it", pairs: "pairs", both: "what is around or under it, and pairs", foot: "what it stands on", surface: "depth of the surface itself" }[one.source] ?? one.source],
    ["confidence", `${percent(one.confidence)}, trust ${percent(one.trust)}`],
    ["doubt", `± ${one.normal_error_deg?.toFixed(1) ?? "?"}°, ± ${one.distance_error_m === null ? "?" : small(one.distance_error_m)}`],
    ["depth inside", { reflection: "of virtual images", surface: "of the surface itself", unknown: "of what, nobody knows" }[one.depth_shows]],
  ];
  if (one.notes.length) rows.push(["notes", one.notes.map((note) => note.replaceAll("_", " ")).join(", ")]);
  for (const pair of one.pairs) {
    const words = pair.used ? `used, off by ${small(pair.residual_m)}` : `left out: ${pair.reason}`;
    rows.push([`pair ${pair.reflected_id} and ${pair.real_id}`, words]);
  }
  return rows;
};
const rowsOfProposal = (one) => {
  const rows = [[one.standing === "refused" ? "because" : "why", one.reason]];
  if (one.margin) rows.push(["margin", `${one.margin} to the nearest threshold`]);
  if (one.flags.length) rows.push(["mind", one.flags.join("; ")]);
  const ids = [...new Set(one.instance_ids)].filter((id) => byId.has(id));
  if (ids.length) rows.push(["rests on", ids.map((id) => named(byId.get(id))).join(", ")]);
  if (one.surface_ids.length) rows.push(["by way of", one.surface_ids.map((id) => named(surfaces.get(id))).join(", ")]);
  rows.push(["item", one.item_id]);
  return rows;
};
const describe = (chosen) => {
  if (chosen.kind === "instance") {
    const one = byId.get(chosen.id);
    return { title: named(one), mark: one.visibility, rows: rowsOfInstance(one) };
  }
  if (chosen.kind === "surface") {
    const one = surfaces.get(chosen.id);
    return { title: `${one.name} ${one.surface_id}`, mark: "surface", rows: rowsOfSurface(one) };
  }
  const one = scene.proposals[chosen.id];
  return { title: one.question, mark: one.standing, answer: one.answer, rows: rowsOfProposal(one) };
};
const fillRows = (list, rows) => list.replaceChildren(...rows.flatMap(([name, text]) => [make("dt", "", name), make("dd", "", text)]));

const startListing = (choose, hover) => {
  const find = (id) => document.getElementById(id);
  const detail = find("detail"), lists = { proposals: find("proposals"), things: find("things"), surfaces: find("surfaces") };
  const buttons = new Map();
  const keyOf = (chosen) => `${chosen.kind}/${chosen.id}`;
  const row = (chosen, mark, title, under, side) => {
    const button = make("button", `row ${mark}`);
    button.type = "button";
    button.append(make("i"), make("span", "title", title));
    if (side) button.append(make("b", "", side));
    if (under) button.append(make("small", "", under));
    button.addEventListener("click", () => choose(chosen));
    button.addEventListener("pointerenter", () => hover(chosen));
    button.addEventListener("pointerleave", () => hover(null));
    buttons.set(keyOf(chosen), button);
    return button;
  };
  const proposalRows = scene.proposals.map((one, id) => ({
    one, button: row({ kind: "proposal", id }, one.standing, one.question, one.standing === "refused" ? one.reason : null, one.answer),
  }));
  lists.proposals.append(...proposalRows.map(({ button }) => button));
  lists.things.append(...scene.instances.map((one) => {
    const link = linkOf.get(one.instance_id);
    const side = link?.agrees === true ? `✓ ${small(link.gap_m)}` : link?.agrees === false ? `✗ ${small(link.gap_m)}` : one.real ? `± ${small(one.real.doubt_m)}` : "no place";
    const button = row({ kind: "instance", id: one.instance_id }, one.visibility, named(one), one.refusal?.reason, side);
    if (!one.real) button.classList.add("placeless");
    return button;
  }));
  lists.surfaces.append(...scene.surfaces.map((one) => row(
    { kind: "surface", id: one.surface_id }, one.refusal ? "surface placeless" : "surface", `${one.name} ${one.surface_id}`, one.refusal?.reason,
    one.refusal ? "no plane" : `${percent(one.confidence)} sure`,
  )));
  for (const [name, list] of Object.entries(lists)) if (!list.children.length) list.append(make("p", "nothing", `The picture has no ${name}.`));

  const template = find("template"), words = find("words"), told = find("told"), only = find("only");
  for (const name of [...new Set(scene.proposals.map((one) => one.template_id))].sort()) {
    const count = scene.proposals.filter((one) => one.template_id === name).length;
    const option = make("option", "", `${name} (${count})`);
    option.value = name;
    template.append(option);
  }
  const standings = [...document.querySelectorAll("[data-standing]")];
  for (const button of standings) {
    const count = scene.proposals.filter((one) => one.standing === button.dataset.standing).length;
    button.append(make("b", "", String(count)));
  }
  let last = null;
  const apply = () => {
    const wanted = new Set(standings.filter((b) => b.getAttribute("aria-pressed") === "true").map((b) => b.dataset.standing));
    const text = words.value.trim().toLowerCase();
    const ids = only.checked && last ? new Set(last.kind === "proposal" ? subjectOf(last) : aboutOf(last).instances) : null;
    let shown = 0;
    for (const { one, button } of proposalRows) {
      const fits = wanted.has(one.standing) && (!template.value || one.template_id === template.value) &&
        (!text || `${one.question} ${one.answer} ${one.reason} ${one.template_id}`.toLowerCase().includes(text)) &&
        (!ids || one.slots.some((id) => ids.has(id)));
      button.hidden = !fits;
      shown += fits;
    }
    told.textContent = shown === proposalRows.length ? "" : `${shown} of ${proposalRows.length}`;
  };
  for (const button of standings) button.addEventListener("click", () => {
    button.setAttribute("aria-pressed", String(button.getAttribute("aria-pressed") !== "true"));
    apply();
  });
  for (const element of [template, only]) element.addEventListener("change", apply);
  words.addEventListener("input", apply);
  apply();

  const tabs = [...document.querySelectorAll("[data-tab]")];
  const open = (name) => {
    for (const tab of tabs) tab.setAttribute("aria-selected", String(tab.dataset.tab === name));
    for (const part of document.querySelectorAll("[data-part]")) part.hidden = part.dataset.part !== name;
  };
  for (const tab of tabs) tab.addEventListener("click", () => open(tab.dataset.tab));

  const show = (chosen) => {
    for (const button of document.querySelectorAll(".row.chosen")) button.classList.remove("chosen");
    last = chosen ?? last;
    detail.hidden = !chosen;
    if (!chosen) return;
    const { title, mark, answer, rows } = describe(chosen);
    detail.className = `detail ${mark}`;
    find("detail-title").textContent = title;
    find("detail-mark").textContent = STANDING[mark] ?? mark;
    find("detail-answer").textContent = answer ?? "";
    find("detail-answer").hidden = !answer;
    fillRows(find("detail-rows"), rows);
    open({ instance: "things", surface: "surfaces", proposal: "proposals" }[chosen.kind]);
    const button = buttons.get(keyOf(chosen));
    button?.classList.add("chosen");
    button?.scrollIntoView({ block: "nearest" });
    if (only.checked) apply();
  };
  const step = (by) => {
    const shown = proposalRows.filter(({ button }) => !button.hidden);
    if (!shown.length) return;
    const at = shown.findIndex(({ button }) => button.classList.contains("chosen"));
    shown[(at + by + shown.length + (at < 0 && by < 0 ? 1 : 0)) % shown.length].button.click();
  };
  return { show, step, focusSearch: () => { open("proposals"); words.focus(); } };
};
