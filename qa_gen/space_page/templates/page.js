// The slider from where mirrors show things to where they are; the keys; the start.
const slider = find("share");
let playing = null;
const setShare = (value) => {
  ui.share = clamp(value, 0, 1);
  slider.value = String(Math.round(1000 * ui.share));
  find("play").textContent = ui.share > 0.5 ? "◀ as seen" : "▶ put back";
  find("share-told").textContent = ui.share === 0 ? "as seen" : ui.share === 1 ? "put back" : ui.share > 0.48 && ui.share < 0.52 ? "on the glass" : `${Math.round(100 * ui.share)} %`;
  restate();
};
const play = (now) => {
  playing.start ??= now;
  const x = clamp((now - playing.start) / 2200, 0, 1);
  setShare(playing.from + (playing.to - playing.from) * x * x * (3 - 2 * x));
  if (x >= 1) playing = null;
  return playing !== null;
};
const startPlaying = () => {
  const to = ui.share > 0.5 ? 0 : 1;
  if (calm) setShare(to);
  else playing = { from: ui.share, to };
  refresh();
};
slider.addEventListener("input", () => { playing = null; setShare(Number(slider.value) / 1000); });
find("play").addEventListener("click", startPlaying);

for (const box of document.querySelectorAll("[data-show]")) {
  box.checked = ui.show[box.dataset.show];
  box.addEventListener("change", () => { ui.show[box.dataset.show] = box.checked; restate(); });
}
for (const button of document.querySelectorAll("[data-look]")) button.addEventListener("click", () => lookAs(button.dataset.look));
find("clear").addEventListener("click", () => choose(null));
const help = find("help");
find("help-open").addEventListener("click", () => help.showModal());

const KEYS = {
  ArrowLeft: () => moving.orbit(-0.08, 0), ArrowRight: () => moving.orbit(0.08, 0), ArrowUp: () => moving.orbit(0, 0.06), ArrowDown: () => moving.orbit(0, -0.06),
  "+": () => moving.zoom(0.9), "=": () => moving.zoom(0.9), "-": () => moving.zoom(1.1), r: () => lookAs("all"), c: () => lookAs("camera"), t: () => lookAs("top"), s: () => lookAs("side"),
  " ": startPlaying, n: () => listing.step(1), p: () => listing.step(-1), Escape: () => choose(null), "/": () => listing.focusSearch(), "?": () => help.showModal(),
};
addEventListener("keydown", (event) => {
  const inField = event.target.closest("input:not([type=checkbox]), select, dialog");
  if (event.ctrlKey || event.metaKey || event.altKey || (inField && event.key !== "Escape")) return;
  if (event.key === " " && event.target.closest("button, input")) return;
  if (event.key.startsWith("Arrow") && event.target.closest(".list")) return;
  const act = KEYS[event.key];
  if (!act) return;
  event.preventDefault();
  act();
});

// At once, or the old picture would be shown stretched.
new ResizeObserver(() => {
  if (lookingAs) Object.assign(moving.state, LOOKS[lookingAs]());
  if (!waiting) render(performance.now());
}).observe(stage);
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => { look = readLook(); restate(); });
Object.assign(moving.state, overview());
drawOutlines();
setShare(0);
// An address may say what to look at: #look=camera&share=0.5&choose=instance/4&hide=labels
const wanted = new URLSearchParams(location.hash.slice(1));
for (const name of (wanted.get("hide") ?? "").split(",")) {
  const box = document.querySelector(`[data-show="${CSS.escape(name)}"]`);
  if (box) { box.checked = false; ui.show[name] = false; }
}
if (wanted.has("share")) setShare(Number(wanted.get("share")) || 0);
const [kind, id] = (wanted.get("choose") ?? "").split("/");
const known = { instance: byId, surface: surfaces, proposal: new Map(scene.proposals.map((_, k) => [k, k])) }[kind];
if (known?.has(Number(id))) choose({ kind, id: Number(id) });
if (LOOKS[wanted.get("look")]) lookAs(wanted.get("look"));
for (const key of ["yaw", "pitch", "distance"]) if (Number.isFinite(parseFloat(wanted.get(key)))) moving.flyTo({ [key]: parseFloat(wanted.get(key)) });
restate();
document.documentElement.dataset.ready = "yes";
