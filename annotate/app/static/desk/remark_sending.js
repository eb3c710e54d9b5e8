// Remarks on their way: in this browser's storage first, then sent until the server has them or refuses them.
import { newToken } from "./calling.js";
import { insist } from "./insisting.js";
import { keysOf, read, write } from "./storage.js";

const START = "mira remark ";

const deliver = async (key, { path, body }, say) => {
  try {
    await insist(path, body, say);
    write(key, null);
  } catch (error) {
    // After signing in again it is sent.
    if (error.code !== "sign-in") write(key, null);
    throw error;
  }
};

/** Sends a remark, or what became of one; raises what it is refused with. */
export const sendRemark = (shell, path, content) => {
  const body = { ...content, token: newToken() };
  const key = `${START}${shell.person} ${body.token}`;
  write(key, { path, body });
  return deliver(key, { path, body }, shell.say);
};

/** Sends what a closed window or a killed server left behind. */
export const replayRemarks = async (shell) => {
  for (const key of keysOf(`${START}${shell.person} `)) {
    const left = read(key);
    if (left) await deliver(key, left, shell.say).catch((error) => shell.say(error.message, "bad"));
  }
};
