// Nothing that was typed is lost: each change goes to this browser's storage first, then to the server,
// again and again until the server has it or refuses it.
import { Refused, Unheard, call, later } from "./calling.js";

const AGAIN_MS = 1500;

const read = (key) => {
  try { return JSON.parse(localStorage.getItem(key)); } catch { return null; }
};
const write = (key, value) => {
  // A browser without storage still sends.
  try {
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, JSON.stringify(value));
  } catch { /* as above */ }
};
const keysOf = (start) => {
  try { return Object.keys(localStorage).filter((key) => key.startsWith(start)); } catch { return []; }
};

/** Keeps drafts and verdicts of a person; `say(text, kind)` shows how that goes. */
export const createKeeper = (person, say) => {
  const draftKey = (kind, id) => `mira draft ${person} ${kind} ${id}`;
  const verdictStart = `mira verdict ${person} `;
  let waiting = null, sending = null;

  // The server is asked until it answers.
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
  // Work that lay longer than it was lent for is lent anew, unless others have it by now.
  const withLease = async (path, body) => {
    try {
      return await insist(path, body);
    } catch (error) {
      if (error.code !== "lease-lost") throw error;
      await insist("/api/task", { kind: body.kind, item_id: body.item_id });
      return insist(path, body);
    }
  };
  const pump = async () => {
    while (waiting) {
      const draft = waiting;
      waiting = null;
      try {
        await withLease("/api/draft", draft);
        const key = draftKey(draft.kind, draft.item_id);
        if (read(key)?.seq <= draft.seq) write(key, null);
      } catch (error) {
        if (!(error instanceof Refused)) throw error;
        say(error.message, "bad");
      }
    }
  };
  const start = () => {
    sending ??= pump().finally(() => {
      sending = null;
      if (waiting) start();
    });
  };

  return {
    /** Keeps a draft; the newest one counts. */
    keepDraft: (draft) => {
      write(draftKey(draft.kind, draft.item_id), draft);
      waiting = draft;
      start();
    },
    /** The newest draft of a task: what the server has, or what it has not heard of yet. */
    draftOf: (task) => {
      const local = read(draftKey(task.kind, task.item_id));
      const isNewer = local !== null && local.seq > task.draft_seq;
      return isNewer ? { content: local.content, seq: local.seq, isUnsent: true } : { content: task.draft, seq: task.draft_seq, isUnsent: false };
    },
    /** Sends a verdict until the server has it; raises what it is refused with. */
    judge: async (verdict) => {
      const key = verdictStart + verdict.item_id;
      write(key, verdict);
      waiting = null;
      await sending;
      try {
        const found = await withLease("/api/verdict", verdict);
        write(draftKey(verdict.kind, verdict.item_id), null);
        write(key, null);
        return found;
      } catch (error) {
        // After signing in again it is sent.
        if (error.code !== "sign-in") write(key, null);
        throw error;
      }
    },
    /** Sends verdicts that a closed window or a killed server left behind. */
    replay: async () => {
      for (const key of keysOf(verdictStart)) {
        const verdict = read(key);
        if (verdict) await withLease("/api/verdict", verdict).catch((error) => say(error.message, "bad"));
        write(key, null);
      }
    },
  };
};
