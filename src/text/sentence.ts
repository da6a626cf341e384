/**
 * Adds a full stop to an untrusted text at the end of a sentence, unless it ends with a final
 * punctuation mark.
 */
export const endSentence = (text: string): string => (/[.!?…]['")\]]?$/.test(text) ? text : `${text}.`);
