import {useEffect, useLayoutEffect, useRef} from 'react';
import {movedBy, clampTop} from '../../text/columns/viewport.ts';
import {useApp, useGetState} from '../core/store-context.ts';
import {addressOf, serverLinks} from '../live/links.ts';
import {follow, type Stamps} from './follow.ts';
import type {Shown} from './viewer/shown.ts';
import {treeOf, fileListing} from './tree/listing.ts';
import {END} from './viewer-keys.ts';
import {type Viewer, fileViewer} from './viewer/open-file.ts';

/** Polls the visible files and reloads changed ones, if the server's own address responds. */
export const useFollow = (server: string, opened: string | undefined): void => {
	const get = useGetState();
	const stamps = useRef<{readonly server: string; readonly known: Stamps}>({server, known: new Map()});
	// Checks the live link again when the server's address has changed.
	const address = useApp(state => addressOf(state, server));
	useEffect(() => {
		if (address !== null) serverLinks(get).seekLink(server);
	}, [get, server, address]);
	// Restarts polling with a short interval when a file was opened.
	useEffect(() => {
		if (stamps.current.server !== server) stamps.current = {server, known: new Map()};
		return follow(get, server, stamps.current.known);
	}, [get, server, opened]);
	const isLive = useApp(state => state.links.get(server)?.kind === 'live');
	useEffect(() => {
		if (isLive && treeOf(get(), server).source === 'known') void fileListing(get).loadFolder(server, '');
	}, [get, server, isLive]);
};

/**
 * Keeps the end of a growing file on screen if it was on screen before. Other positions do not
 * move.
 */
export const useTail = (server: string, viewer: Viewer | undefined, shown: Shown): void => {
	const get = useGetState();
	const last = useRef<{readonly path: string; readonly text: string; readonly isAtEnd: boolean} | null>(null);
	useLayoutEffect(() => {
		const before = last.current;
		if (viewer === undefined || shown === null) {
			last.current = null;
			return;
		}
		const {index} = shown.sheet;
		const isSame = before?.path === viewer.path;
		if (isSame && before.text !== index.text && before.isAtEnd && index.text.startsWith(before.text)) {
			last.current = {path: viewer.path, text: index.text, isAtEnd: true};
			fileViewer(get).changeViewer(server, {top: END});
			return;
		}
		const place = clampTop(shown.sheet, viewer.top, shown.window);
		const below = movedBy(shown.sheet, place, 1, shown.window);
		const isAtEnd =
			index.complete && place.line === below.line && place.piece === below.piece && place.row === below.row;
		last.current = {path: viewer.path, text: index.text, isAtEnd};
	});
};
