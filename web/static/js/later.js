// Parts of the page that few visits need: fetched, with their words and their style, when one does.

import { addWords } from "./words.js";

const loading = new Map();

async function load(name) {
  const [part, words] = await Promise.all([import(`./${name}.js`), fetch(`words/${name}`).then((answer) => answer.json())]);
  addWords(words);
  return part;
}

/** What the script of that name exports; null where it can't be fetched now, and asked for again next time. */
export async function later(name) {
  if (!loading.has(name)) loading.set(name, load(name));
  try {
    return await loading.get(name);
  } catch {
    loading.delete(name);
    return null;
  }
}

/** Has a style sheet loaded, once; there when it holds. */
export function style(name) {
  const href = new URL(`static/${name}`, document.baseURI).href;
  if ([...document.styleSheets].some((sheet) => sheet.href === href)) return Promise.resolve();
  const link = document.createElement("link");
  Object.assign(link, { rel: "stylesheet", href });
  return new Promise((done) => {
    link.addEventListener("load", done);
    link.addEventListener("error", done);
    document.head.append(link);
  });
}
