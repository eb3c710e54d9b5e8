// What this browser keeps for the server: a browser without storage still sends.

/** What is kept under a key; null for nothing. */
export const read = (key) => { try { return JSON.parse(localStorage.getItem(key)); } catch { return null; } };

/** Keeps a value under a key; null keeps nothing. */
export const write = (key, value) => {
  try {
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, JSON.stringify(value));
  } catch { /* it is sent all the same */ }
};

/** Keys that begin so, in their order. */
export const keysOf = (start) => { try { return Object.keys(localStorage).filter((key) => key.startsWith(start)).sort(); } catch { return []; } };
