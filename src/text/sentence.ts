/** Text from outside as the end of a sentence: with a full stop, unless it has a final mark. */
export const endSentence = (text: string): string => (/[.!?…]['")\]]?$/.test(text) ? text : `${text}.`);
