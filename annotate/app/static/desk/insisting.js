// Requests that are sent until they are heard, however long that takes.
import { Unheard, call, later } from "./calling.js";

const AGAIN_MS = 1500;

/** Asks the server until it answers, and tells how that goes; what it refuses is raised. */
export const insist = async (path, body, say) => {
  let wasUnheard = false;
  for (;;) {
    try {
      const found = await call(path, body);
      if (wasUnheard) say("Connected again; all is kept.", "good");
      return found;
    } catch (error) {
      if (!(error instanceof Unheard)) throw error;
      wasUnheard = true;
      say("The server does not answer. What you do is kept in this browser and sent as soon as it does.", "bad");
      await later(AGAIN_MS);
    }
  }
};

/** The same for work that is lent: what lay longer is lent anew by `again()`, unless others have it by now. */
export const insistWithLease = async (path, body, again, say) => {
  try {
    return await insist(path, body, say);
  } catch (error) {
    if (error.code !== "lease-lost") throw error;
    await again();
    return insist(path, body, say);
  }
};
