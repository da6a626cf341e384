import {useEffect} from 'react';
import type {Load} from '../../api/client-types.ts';
import {useApp, useGetState} from '../core/store-context.ts';
import {answersThere} from './link-state.ts';
import {serverLoad} from './load.ts';

/**
 * Resource use of a server, if known, while its code runs and a visible pane shows it; else null.
 */
export const useLoad = (server: string, isRunning: boolean): Load | null => {
	const get = useGetState();
	const isWatched = useApp(state => answersThere(state.links.get(server))) && isRunning;
	useEffect(() => (isWatched ? serverLoad(get).watchLoad(server) : undefined), [get, server, isWatched]);
	return useApp(state => (isWatched ? (state.loads.get(server) ?? null) : null));
};
