import {isHostAlias} from '../../../contract/names.ts';
import {hostRows, hostSummary} from '../../../query/host-rows.ts';
import {fuzzyFilter} from '../../../text/editor/fuzzy.ts';
import {label} from '../../../text/safe.ts';
import {chooser, type Choice} from '../../core/dialogs/chooser.tsx';
import {route} from '../../core/store/route.ts';
import {hostSignIn} from '../../servers/on-host.ts';
import {sshHosts} from '../hosts.ts';

const NAME = 60;

/** Hosts that the user has added, and ssh aliases that the user can add. */
export const hostList = chooser({kind: 'hosts'}, ({get}) => {
	const {hosts} = get();
	const added = (hosts?.hosts ?? []).map((item): Choice => {
		const {host, state} = item;
		return {
			id: host,
			text: label(host, NAME),
			note: state === 'locked' || state === 'unreachable' ? state : hostSummary(item),
			section: 'Compute options',
			enterLabel: 'show',
			choose: () => route(get).openDialog({kind: 'host', host}),
		};
	});
	const adding = (host: string, section: string): Choice => ({
		id: `add ${host}`,
		text: label(host, NAME),
		section,
		enterLabel: 'connect and add',
		choose: () => sshHosts(get).addHost(host),
	});
	const choices = [
		...added,
		...(hosts?.aliases ?? []).filter(isHostAlias).map(host => adding(host, 'In ~/.ssh/config')),
	];
	const isKnown = (name: string): boolean => choices.some(({text}) => text === name);
	return {
		title: 'SSH hosts',
		empty: 'A host is an alias of ~/.ssh/config or a host name.',
		untyped: hosts === null ? 'Loading.' : 'No hosts in ~/.ssh/config. Type a host name.',
		choicesFor: typed => [
			...fuzzyFilter(typed, choices, ({text}) => text),
			...(isHostAlias(typed) && !isKnown(typed) ? [adding(typed, 'Other')] : []),
		],
	};
});

/** Details of a host: possible actions, and the host's data from its latest connection. */
export const hostDetails = chooser({kind: 'host'}, ({get}, {host}) => {
	const {hosts, connecting} = get();
	const item = hosts?.hosts.find(each => each.host === host);
	const attempt = connecting?.host === host ? connecting : null;
	const isConnecting = attempt !== null && attempt.failure === null;
	const reason = attempt?.failure ?? (item?.reason == null ? null : label(item.reason, 400));
	const back = (): void => sshHosts(get).openHosts();
	const act = (text: string, choose: Choice['choose'], note?: string): Choice => ({
		text,
		...(note !== undefined && {note}),
		choose,
	});
	const isLocked = item?.state === 'locked' || reason?.includes('ssh login') === true;
	const choices: readonly Choice[] = isConnecting
		? []
		: [
				act(item ? 'Connect again' : 'Try again', () => sshHosts(get).addHost(host)),
				...(isLocked ? [act('Sign in', () => void hostSignIn(get).signInTo(host))] : []),
				...(item ? [act('Remove', () => sshHosts(get).removeHost(host), 'leaves the host alone')] : []),
				...(reason === null ? [] : [{text: reason, id: 'reason', enterLabel: 'back', choose: back}]),
				...(item ? hostRows(item) : []).map(([text, note], index): Choice => ({
					...{text, note, id: `row ${index}`},
					...{isQuiet: true, enterLabel: 'back', choose: back},
				})),
			];
	return {
		title: label(host, NAME),
		empty: isConnecting ? `Connecting to ${label(host, NAME)}.` : 'No match.',
		choicesFor: typed => fuzzyFilter(typed, choices, ({text, note = ''}) => `${text} ${note}`),
	};
});
