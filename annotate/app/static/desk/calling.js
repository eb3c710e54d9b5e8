// Requests to the server. A refusal is final; what never arrived may be sent again.

/** The server said no, in one line for people. */
export class Refused extends Error {
  constructor(code, message) { super(message); this.code = code; }
}
/** Nobody answered. */
export class Unheard extends Error {}

// A window outlives a sign-in as somebody else in another one: what is said in it is still this person's, or nobody's.
let asker = null;
/** From now on asks for this person alone. */
export const askAs = (name) => { asker = name; };

/** Asks the server; with a body it is a POST. */
export const call = async (path, body) => {
  const asked = body === undefined ? {} : { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
  let response, found = null;
  try {
    response = await fetch(path, { ...asked, headers: { ...asked.headers, accept: "application/json", ...(asker ? { "x-mira-person": asker } : {}) }, credentials: "same-origin" });
    found = await response.json();
  } catch {
    throw new Unheard("The server does not answer.");
  }
  if (response.ok) return found;
  if (response.status >= 500) throw new Unheard(found.error ?? "The server does not answer.");
  if (response.status === 401) location.assign(`/login?next=${encodeURIComponent(location.pathname)}`);
  throw new Refused(found.code ?? "refused", found.error ?? "The server refused it.");
};

/** A token that nobody else has. Also where the page has no secure context, as over plain HTTP in a lab. */
export const newToken = () => Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");

/** A promise for later. */
export const later = (ms) => new Promise((done) => setTimeout(done, ms));
