import {useRef, useState} from 'react';
import {label} from '../../text/safe.ts';
import {fit} from '../../text/width.ts';
import {clockText, durationText} from '../components/age.ts';
import {clamp, movements, windowAround} from '../components/scroll.ts';
import type {Rect} from '../frame/layout.ts';
import {useKeys} from '../keys/keys.tsx';
import {useApp, useGetState} from '../store-context.ts';
import {paint} from '../theme/theme.ts';
import {DialogBox} from './dialog-box.tsx';

const WIDTH = 110;

/** Every call to the service, newest first. */
export const Requests = ({body}: {readonly body: Rect}) => {
	const get = useGetState();
	const requests = useApp(state => state.requests).toReversed();
	const at = useRef(0);
	const [stored, draw] = useState(0);
	const cursor = clamp(stored, 0, Math.max(0, requests.length - 1));
	const height = Math.max(3, body.height - 4);
	const move = (to: number): void => {
		at.current = to;
		draw(to);
	};
	const chosen = () => get().requests.toReversed()[clamp(at.current, 0, get().requests.length - 1)];
	const moves = () => movements(() => at.current, get().requests.length, height, move);
	useKeys('requests', {
		up: () => moves().up(), down: () => moves().down(), pageUp: () => moves().pageUp(), pageDown: () => moves().pageDown(), first: () => moves().first(), last: () => moves().last(),
		copy() {
			const entry = chosen();
			if (entry === undefined) return 'There is no call to copy';
			void get().copyRequest(entry.id).then(words => get().notify('info', words));
		},
		cancel() {
			const entry = chosen();
			return entry === undefined ? 'There is no call to cancel' : get().cancelRequest(entry.id);
		},
		close: () => get().closeDialog(),
	});
	const width = Math.min(WIDTH, body.width - 4) - 4;
	const from = windowAround(cursor, height, requests.length);
	const rows = requests.slice(from, from + height).map(({method, path, status, problem, startedAt, took}, offset) => {
		const result = took === null ? 'running' : `${status ?? ''} ${problem ?? ''}`.trim();
		const text = `${clockText(startedAt)}  ${method.padEnd(4)} ${fit(label(path, 400), Math.max(8, width - 42))} ${fit(result, 16)} ${(took === null ? '' : took < 1000 ? `${Math.round(took)} ms` : durationText(took)).padStart(9)}`;
		return from + offset === cursor ? paint('selected', fit(text, width)) : problem === undefined ? text : paint('bad', text);
	});
	return <DialogBox title={`Requests ${requests.length}`} body={body} width={WIDTH} lines={rows.length > 0 ? rows : [paint('dim', 'Nothing was asked yet.')]}/>;
};
