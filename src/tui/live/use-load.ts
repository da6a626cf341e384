import {useEffect} from 'react';
import type {Load} from '../../api/client-types.ts';
import {useApp, useGetState} from '../core/store-context.ts';
import {answersThere} from './link-state.ts';
import {serverLoad} from './load.ts';

/**
 * React hook: resource use of a server while its code runs. Null if unknown, or if no code runs.
 */
export const useLoad = (server: string, isRunning: boolean): Load | null => {
	const get = useGetState();
	const isWatched = useApp(state => answersThere(state.links.get(server))) && isRunning;
	useEffect(() => (isWatched ? serverLoad(get).watchLoad(server) : undefined), [get, server, isWatched]);
	return useApp(state => (isWatched ? (state.loads.get(server) ?? null) : null));
};
