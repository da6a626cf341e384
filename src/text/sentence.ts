/** Text from outside as the end of a sentence: with a full stop, unless it ends with one of its own. */
export const endSentence = (text: string): string => (/[.!?…]['")\]]?$/.test(text) ? text : `${text}.`);
