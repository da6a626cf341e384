import {useRef, useState} from 'react';
import {findServer} from '../../store/servers.ts';
import {label} from '../../text/safe.ts';
import {scrolling} from '../components/scroll.ts';
import type {Rect} from '../frame/layout.ts';
import {useKeys} from '../keys/keys.tsx';
import {detailLines} from '../screens/servers/server-detail.ts';
import {useApp, useGetState} from '../store-context.ts';
import {useNow} from '../use-now.ts';
import {DialogBox} from './dialog-box.tsx';

const WIDTH = 96;

/** Every field of a server, where there is no room for them beside the list. */
export const ServerDialog = ({server: name, body}: {readonly server: string; readonly body: Rect}) => {
	const get = useGetState();
	const server = useApp(state => findServer(state, name));
	const rentals = useApp(state => state.rentals);
	const compute = useApp(state => state.compute);
	const environments = useApp(state => state.environments);
	const awaited = useApp(state => state.awaited);
	const now = useNow();
	const top = useRef(0);
	const [, setTop] = useState(0);
	const width = Math.min(WIDTH, body.width - 4) - 4;
	const lines = server === undefined ? ['This server is gone from the list.'] : detailLines(server, {rentals, compute, environments, awaited}, now, width).slice(2);
	const height = body.height - 2;
	const last = Math.max(0, lines.length - height);
	const scroll = scrolling(() => top.current, last, height - 1, to => {
		top.current = to ?? last;
		setTop(top.current);
	});
	useKeys('reader', {...scroll, close: () => get().closeDialog()});
	const from = Math.min(top.current, last);
	return <DialogBox title={label(name, 60)} body={body} width={WIDTH} lines={lines.slice(from, from + height)}/>;
};
