import {useRef, useState} from 'react';
import {isPane} from '../../store/route.ts';
import {scrolling} from '../components/scroll.ts';
import {showKey} from '../frame/footer.ts';
import type {Rect} from '../frame/layout.ts';
import type {Scope} from '../keys/keymap.ts';
import {useKeys} from '../keys/keys.tsx';
import {offeredIn, type KeyRules} from '../keys/live-keys.ts';
import {keyPath} from '../keys/scopes.ts';
import {useApp, useGetState} from '../store-context.ts';
import {paint} from '../theme/theme.ts';
import {DialogBox} from './dialog-box.tsx';

const NAMES: Partial<Readonly<Record<Scope, string>>> = {
	servers: 'Servers', compute: 'Compute', environments: 'Environments', filter: 'Filter', offline: 'This server', tree: 'File tree', viewer: 'File viewer', repl: 'REPL', cells: 'Reading cells',
	assistant: 'Asking', turns: 'Reading answers', anywhere: 'Also while typing', global: 'Anywhere', always: 'Always',
};

const sectionOf = (rules: KeyRules, scope: Scope): string[] => [
	paint('heading', NAMES[scope] ?? scope),
	...offeredIn(rules, scope).map(({keys, label}) => `  ${paint('accent', keys.map(showKey).join('  ').padEnd(24))} ${label}`),
	'',
];

/** Every key that works where the user was, from the key table. */
export const Help = ({body}: {readonly body: Rect}) => {
	const get = useGetState();
	const screen = useApp(state => state.screen);
	const scopes = useApp(state => keyPath({...state, dialogs: []}).scopes.join(' ')).split(' ') as Scope[];
	const top = useRef(0);
	const [, setTop] = useState(0);
	const rebound = useApp(state => state.rebound);
	const readOnly = useApp(state => state.readOnly);
	const lines = [
		...(readOnly ? [paint('own', 'This profile is read-only: keys that change something or spend money are not offered.'), ''] : []),
		...scopes.flatMap(scope => sectionOf({rebound, readOnly}, scope)),
	];
	const height = body.height - 2;
	const last = Math.max(0, lines.length - height);
	const scroll = scrolling(() => top.current, last, height - 1, to => {
		top.current = to ?? last;
		setTop(top.current);
	});
	const from = Math.min(top.current, last);
	useKeys('help', {...scroll, close: () => get().closeDialog()});
	return <DialogBox title={`Keys ${isPane(screen) ? 'of this pane' : 'of this screen'}`} body={body} width={78} lines={lines.slice(from, from + height)}/>;
};
