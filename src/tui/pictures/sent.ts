import {basename} from 'node:path';
import {withoutEnd} from '../../text/ends.ts';

export type SentPicture = {
	/** Source of the picture, such as a path or a cell. */
	readonly name: string;
	readonly bytes: Uint8Array;
};

/** Format, detected by the first bytes; null if unknown. */
export const kindOfPicture = (bytes: Uint8Array): 'png' | 'jpg' | 'svg' | null => {
	if (bytes[0] === 0x89 && bytes[1] === 0x50) return 'png';
	if (bytes[0] === 0xff && bytes[1] === 0xd8) return 'jpg';
	return /^\uFEFF?\s*</.test(Buffer.from(bytes.subarray(0, 100)).toString()) ? 'svg' : null;
};

export const fileNameOf = ({name, bytes}: SentPicture): string => {
	const stem =
		withoutEnd(basename(name).replaceAll(/[^\w.-]+/g, '-'), '-')
			.replace(/^[.-]+/, '')
			.slice(0, 80) || 'picture';
	const kind = kindOfPicture(bytes);
	return kind === null || new RegExp(`\\.${kind === 'jpg' ? 'jpe?g' : kind}$`, 'i').test(stem)
		? stem
		: `${stem}.${kind}`;
};
