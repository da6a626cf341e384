import {useEffect, useMemo, useState} from 'react';
import type {FileEntry} from '../../../contract/files.ts';
import type {Picture} from '../../../store/read-picture.ts';
import {readPicture} from '../../../store/read-picture.ts';
import {createLineIndex, type LineIndex} from '../../../text/line-index.ts';
import {useApp} from '../../store-context.ts';
import type {MarkdownEngine} from '../../components/markdown.ts';
import {kindOf, laidOut, type FileKind} from './laid-out.ts';

const COLOURS = /\u001B\[[\d;:]*m/g;

/** A file laid out: its rows, and their text without colours, for what looks for words in it. */
export type LaidOut = {readonly kind: FileKind; readonly rows: readonly string[]; readonly index: LineIndex};

/** The file as it is best read, and its kind; null rows where it is shown as its text. */
export const useLaidOut = (file: FileEntry | undefined, {raw, levels, width, height}: {readonly raw: boolean; readonly levels: number; readonly width: number; readonly height: number}): {readonly kind: FileKind; readonly laid: LaidOut | null} => {
	const depth = useApp(state => state.colourDepth);
	const kind = useMemo(() => (file ? kindOf(file) : 'text'), [file]);
	const [markdown, setMarkdown] = useState<MarkdownEngine | null>(null);
	const [picture, setPicture] = useState<{readonly of: FileEntry; readonly picture: Picture} | null>(null);
	useEffect(() => {
		if ((kind === 'markdown' || kind === 'notebook') && markdown === null) void import('../../../text/markdown.ts').then(setMarkdown);
		if (kind !== 'picture' || file === undefined || typeof file.content !== 'string') return;
		let isWanted = true;
		void readPicture(Buffer.from(file.content, 'base64')).then(read => {
			if (isWanted) setPicture({of: file, picture: read});
		});
		return () => {
			isWanted = false;
		};
	}, [kind, file, markdown]);
	const isRaw = raw && kind !== 'binary' && kind !== 'picture';
	const laid = useMemo(() => {
		if (file === undefined || isRaw) return null;
		const rows = laidOut(kind, file, {width, height, depth, levels, markdown, picture: picture?.of === file ? picture.picture : null});
		if (rows === null) return null;
		const index = createLineIndex(rows.map(row => row.replaceAll(COLOURS, '')).join('\n'));
		index.advance(Infinity);
		return {kind, rows, index};
	}, [file, isRaw, kind, width, height, depth, levels, markdown, picture]);
	return {kind, laid};
};
