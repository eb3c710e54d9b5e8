// Open flags on the dashboard: what waits to be put right.
import { call } from "./calling.js";
import { createRemarkRow } from "./remark_rows.js";
import { make } from "../viewer/making.js";

const place = ({ image_id: image, item_id: item }) => make("a", "place", { href: `#author/${encodeURIComponent(image)}`, "data-place": image }, item ?? image);

/** A card of open flags, the newest first. */
export const createFlags = (shell) => {
  const title = make("h2", "", {}, "Open flags"), list = make("ul", "remark-list", { "data-flags": "" }), fault = make("p", "fault", { role: "alert" });
  const older = make("button", "quiet", { type: "button", hidden: "" }, "Older ones");
  const root = make("section", "card flags", {}, title, fault, list, older);
  let following = null;
  const load = async (before) => {
    try {
      const found = await call(`/api/remarks/flags${before ? `?before=${before}` : ""}`);
      const rows = found.remarks.map((flag) => createRemarkRow(flag, { shell, about: place(flag), resolved: () => load(null) }));
      following = found.following;
      older.hidden = following === null;
      title.textContent = found.open === 1 ? "1 open flag" : `${found.open.toLocaleString("en")} open flags`;
      if (before) list.append(...rows);
      else list.replaceChildren(...(rows.length ? rows : [make("li", "soft", {}, "Nothing waits to be put right.")]));
      root.dataset.loaded = String(found.open);
    } catch (error) { fault.textContent = error.message; }
  };
  older.addEventListener("click", () => load(following));
  load(null);
  return root;
};
