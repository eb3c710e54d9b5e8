// What was said goes out in its order, also after the window was closed or the server was away.
import { Refused, newToken } from "./calling.js";
import { insistWithLease } from "./insisting.js";
import { keysOf, read, write } from "./storage.js";

/** Sends what a person says; `reopen(body)` lends its work anew where the lease ran out. */
export const createOutbox = (person, { say, reopen }) => {
  const start = `mira outbox ${person} `;
  const waiting = [];
  let sending = null, count = 0;

  const pump = async () => {
    while (waiting.length) {
      const { key, path, body, done, refused } = waiting[0];
      try {
        const found = await insistWithLease(path, body, () => reopen(body), say);
        write(key, null);
        done?.(found);
      } catch (error) {
        if (!(error instanceof Refused)) throw error;
        // After signing in again it is sent, and what was said after it after it.
        if (error.code === "sign-in") return;
        write(key, null);
        (refused ?? ((one) => say(one.message, "bad")))(error);
      }
      waiting.shift();
    }
  };
  const begin = () => { sending ??= pump().finally(() => { sending = null; }); return sending; };

  return {
    /** Sends a body, to which a token is added, after all that was said before it. */
    add: (path, body, { done = null, refused = null } = {}) => {
      count += 1;
      const key = `${start}${String(Date.now()).padStart(15, "0")} ${String(count).padStart(6, "0")}`;
      const sent = { ...body, token: newToken() };
      write(key, { path, body: sent });
      waiting.push({ key, path, body: sent, done, refused });
      begin();
    },
    /** When all that was said so far is sent. */
    settled: async () => { await sending; },
    /** Sends what a closed window left behind. */
    replay: async () => {
      for (const key of keysOf(start)) {
        const found = read(key);
        if (found) waiting.push({ key, ...found });
      }
      await begin();
    },
  };
};
