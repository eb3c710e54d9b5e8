// What is said of an instance or a surface.
const list = (ids) => ids.join(", ");

const visibilityOf = (instance) => {
  if (instance.visibility !== "reflected") return "seen directly";
  const seenIn = instance.seen_in ?? [];
  return seenIn.length ? `reflected in surface ${seenIn.join(", then ")}` : "reflected, surface not said";
};

const linksOf = (scene, instance) => {
  const links = scene.links ?? [];
  if (instance.visibility === "reflected") {
    const real = links.find((one) => one.reflected_id === instance.instance_id)?.real_id ?? null;
    return real === null ? "" : `shows ${real}`;
  }
  const shown = links.filter((one) => one.real_id === instance.instance_id).map((one) => one.reflected_id);
  return shown.length ? `also seen as ${list(shown)}` : "";
};

/** Title and lines for a region. */
export const describe = (scene, { kind, id, thing }) => {
  if (kind === "surface") {
    const type = thing.surface_type ? thing.surface_type.replaceAll("_", " ") : "kind not said";
    return { id, title: "reflective surface", lines: [type] };
  }
  const label = thing.label || "object";
  const description = thing.description && thing.description !== label ? [thing.description] : [];
  const facts = [visibilityOf(thing), linksOf(scene, thing)].filter(Boolean);
  return { id, title: label, lines: [...description, facts.join(" · ")] };
};

/** The name of a region for a screen reader. */
export const nameOf = (scene, region, slots = []) => {
  const { id, title, lines } = describe(scene, region);
  const named = region.kind === "surface" ? `surface ${id}` : `instance ${id}, ${title}`;
  const filled = slots.length ? [`in slot ${slots.join(" and ")}`] : [];
  return [named, ...lines, ...filled].join(", ");
};

/** Ids of the other ends of an instance's links. */
export const linkedIds = (scene, id) =>
  (scene?.links ?? []).flatMap((one) => (one.reflected_id === id ? [one.real_id] : one.real_id === id ? [one.reflected_id] : []))
    .filter((one) => one !== null && one !== undefined);
