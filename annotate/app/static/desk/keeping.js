// Nothing that was typed is lost: each change goes to this browser's storage first, then to the server,
// again and again until the server has it or refuses it.
import { Refused } from "./calling.js";
import { insist, insistWithLease } from "./insisting.js";
import { keysOf, read, write } from "./storage.js";

// How work of a kind is lent anew.
const REOPEN = {
  review: ({ kind, item_id: id }) => ["/api/task", { kind, item_id: id }],
  adjudicate: ({ kind, item_id: id }) => ["/api/task", { kind, item_id: id }],
  answer: ({ item_id: id }) => ["/api/author/sheet", { image_id: id }],
  baseline: ({ item_id, protocol, modality }) => ["/api/baseline/next", { item_id, protocol, modality }],
};

/** Keeps drafts and verdicts of a person; `say(text, kind)` shows how that goes. */
export const createKeeper = (person, say) => {
  const draftKey = (kind, id) => `mira draft ${person} ${kind} ${id}`;
  const verdictStart = `mira verdict ${person} `, replyStart = `mira reply ${person} `;
  // The highest number that a draft has had, in whatever window.
  const numbers = new Map();
  const next = (key) => Math.max(numbers.get(key) ?? 0, read(key)?.seq ?? 0) + 1;
  let waiting = null, sending = null;

  const withLease = (path, body) => insistWithLease(path, body, () => insist(...REOPEN[body.kind ?? "baseline"](body), say), say);
  // Kept here until the server has it, or has refused it.
  const deliver = async (key, path, body) => {
    write(key, body);
    try {
      const found = await withLease(path, body);
      write(key, null);
      return found;
    } catch (error) {
      // After signing in again it is sent.
      if (error.code !== "sign-in") write(key, null);
      throw error;
    }
  };
  const pump = async () => {
    while (waiting) {
      const draft = waiting;
      waiting = null;
      try {
        const key = draftKey(draft.kind, draft.item_id);
        const { seq } = await withLease("/api/draft", draft);
        numbers.set(key, Math.max(numbers.get(key) ?? 0, seq));
        if (seq > draft.seq) {
          // Another window has kept more drafts; what was typed last counts.
          waiting ??= { ...draft, seq: next(key) };
        } else if (read(key)?.seq <= draft.seq) write(key, null);
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
    keepDraft: ({ kind, item_id: id, content }) => {
      const key = draftKey(kind, id), draft = { kind, item_id: id, content, seq: next(key) };
      numbers.set(key, draft.seq);
      write(key, draft);
      waiting = draft;
      start();
    },
    /** When the drafts so far are kept. */
    settled: async () => { await sending; },
    /** The newest draft of a task: what the server has, or what it has not heard of yet. */
    draftOf: (task) => {
      const key = draftKey(task.kind, task.item_id), local = read(key);
      const isNewer = local !== null && local.seq > task.draft_seq;
      numbers.set(key, task.draft_seq);
      return isNewer ? { content: local.content, isUnsent: true } : { content: task.draft, isUnsent: false };
    },
    /** Sends a verdict until the server has it; raises what it is refused with. */
    judge: async (verdict) => {
      const key = verdictStart + verdict.item_id;
      write(key, verdict);
      waiting = null;
      await sending;
      const found = await deliver(key, "/api/verdict", verdict);
      write(draftKey(verdict.kind, verdict.item_id), null);
      return found;
    },
    /** Sends a reply of the human baseline until the server has it; raises what it is refused with. */
    reply: (reply) => deliver(replyStart + reply.item_id, "/api/baseline/reply", reply),
    /** Sends what a closed window or a killed server left behind. */
    replay: async () => {
      for (const [start, path] of [[verdictStart, "/api/verdict"], [replyStart, "/api/baseline/reply"]]) {
        for (const key of keysOf(start)) {
          const body = read(key);
          if (body) await deliver(key, path, body).catch((error) => say(error.message, "bad"));
        }
      }
    },
  };
};
