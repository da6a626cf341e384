import {isUtf8} from 'node:buffer';
import {mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';

/** A text as a file of the user's own, for an editor. */
export type EditCopy = {
	readonly path: string;
	/** @throws {Error} with a sentence when it is gone or no UTF-8. */
	read(): string;
	discard(): void;
};

/** A file name that keeps its ending, by which editors know the language, and nothing that a path or a terminal could take amiss. */
const fileName = (name: string): string => {
	const plain = (name.split(/[/\\]/).at(-1) ?? '').replaceAll(/[^\p{L}\p{N}._ -]/gu, '_').replace(/^[.\s-]+/, '').slice(-80);
	return plain === '' ? 'text' : plain;
};

/** Writes a text into a folder of its own below `folder`, which nobody else may enter. It outlives the program unless it is discarded. */
export const makeEditCopy = (folder: string, name: string, text: string): EditCopy => {
	mkdirSync(folder, {recursive: true, mode: 0o700});
	const path = join(mkdtempSync(join(folder, 'edit-')), fileName(name));
	writeFileSync(path, text, {mode: 0o600, flag: 'wx'});
	return {
		path,
		read() {
			const bytes = readFileSync(path);
			if (!isUtf8(bytes)) throw new Error('The editor wrote something that is no UTF-8 text');
			return bytes.toString('utf8');
		},
		discard: () => rmSync(dirname(path), {recursive: true, force: true}),
	};
};
