// The server is asked until it answers, however long that takes.
import { Unheard, call, later } from "./calling.js";

const AGAIN_MS = 1500;

/** Sends until somebody answers; a refusal is an answer. `say(text, kind)` shows how that goes. */
export const createInsistence = (say) => {
  const insist = async (path, body) => {
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
  return {
    insist,
    /** The same for work that is lent: what lay longer is lent anew by `again()`, unless others have it by now. */
    withLease: async (path, body, again) => {
      try {
        return await insist(path, body);
      } catch (error) {
        if (error.code !== "lease-lost") throw error;
        await again();
        return insist(path, body);
      }
    },
  };
};
