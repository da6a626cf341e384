import {useEffect, useMemo, useState} from 'react';
import type {FileEntry} from '../../../contract/files.ts';
import type {Picture} from '../../../store/read-picture.ts';
import {readPicture} from '../../../store/read-picture.ts';
import {createLineIndex, type LineIndex} from '../../../text/line-index.ts';
import {useApp} from '../../store-context.ts';
import {useMarkdown} from '../../components/markdown.ts';
import {jsonOf, kindOf, laidOut, type FileKind} from './laid-out.ts';
import {codePlaces, notebookOf, picturesIn, withPicture, type CodePlace, type Notebook} from './notebook-lines.ts';

const COLOURS = /\u001B\[[\d;:]*m/g;

/** A file laid out: its rows, and their text without colours, for what looks for words in it. */
export type LaidOut = {readonly kind: FileKind; readonly rows: readonly string[]; readonly index: LineIndex; /** Of a notebook. */ readonly code: readonly CodePlace[]};

/** The picture that a file is, as soon as it is read. */
const usePicture = (file: FileEntry | undefined, isPicture: boolean): Picture | null => {
	const [read, setRead] = useState<{readonly of: FileEntry; readonly picture: Picture} | null>(null);
	useEffect(() => {
		if (!isPicture || typeof file?.content !== 'string') return;
		let isWanted = true;
		void readPicture(Buffer.from(file.content, 'base64')).then(picture => {
			if (isWanted) setRead({of: file, picture});
		});
		return () => {
			isWanted = false;
		};
	}, [file, isPicture]);
	return read !== null && read.of === file ? read.picture : null;
};

/** The notebook that a file is; its pictures come one after the other. */
const useNotebook = (file: FileEntry | undefined, isNotebook: boolean): Notebook | null => {
	const first = useMemo(() => (file && isNotebook ? notebookOf(jsonOf(file)) : null), [file, isNotebook]);
	const [read, setRead] = useState<{readonly of: Notebook; readonly notebook: Notebook} | null>(null);
	useEffect(() => {
		if (first === null) return;
		let isWanted = true;
		const readAll = async (): Promise<void> => {
			let notebook = first;
			for (const place of picturesIn(first)) {
				const picture = await readPicture(Buffer.from(place.base64, 'base64'));
				if (!isWanted) return;
				notebook = withPicture(notebook, place, picture);
				setRead({of: first, notebook});
			}
		};
		void readAll();
		return () => {
			isWanted = false;
		};
	}, [first]);
	return read !== null && read.of === first ? read.notebook : first;
};

type Laid = {
	readonly kind: FileKind;
	/** Null where the file is shown as its text. */
	readonly laid: LaidOut | null;
	/** Why it is not laid out although its kind is. */
	readonly problem: string | null;
};

/** The file as it is best read. */
export const useLaidOut = (file: FileEntry | undefined, {raw, levels, width, height}: {readonly raw: boolean; readonly levels: number; readonly width: number; readonly height: number}): Laid => {
	const depth = useApp(state => state.colourDepth);
	const kind = useMemo(() => (file ? kindOf(file) : 'text'), [file]);
	const markdown = useMarkdown(kind === 'markdown' || kind === 'notebook') ?? null;
	const picture = usePicture(file, kind === 'picture');
	const notebook = useNotebook(file, kind === 'notebook');
	const isRaw = raw && kind !== 'binary' && kind !== 'picture';
	const laid = useMemo(() => {
		if (file === undefined || isRaw) return null;
		const rows = laidOut(kind, file, {width, height, depth, levels, markdown, picture, notebook});
		if (rows === null) return null;
		const index = createLineIndex(rows.map(row => row.replaceAll(COLOURS, '')).join('\n'));
		index.advance(Infinity);
		return {kind, rows, index, code: kind === 'notebook' && notebook ? codePlaces(notebook, {width, depth, markdown}) : []};
	}, [file, isRaw, kind, width, height, depth, levels, markdown, picture, notebook]);
	const problem = isRaw || laid !== null ? null : kind === 'notebook' ? notebook?.problem ?? null : kind === 'json' && file !== undefined ? 'not valid JSON' : null;
	return {kind, laid, problem};
};
