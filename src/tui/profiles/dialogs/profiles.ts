import {fuzzyFilter} from '../../../text/editor/fuzzy.ts';
import {runningCell} from '../../cells/cell.ts';
import {isAsking} from '../../assistant/conversations.ts';
import type {State} from '../../core/program.ts';
import {glyph} from '../../core/theme/glyphs.ts';
import {chooser, type Choice} from '../../core/dialogs/chooser.tsx';
import {sshHosts} from '../hosts.ts';
import {profileAccess} from '../profiles.ts';

/** Number of running cells and of answers in progress, which a switch would stop. */
const running = (state: State): number =>
	[...state.repls.values()].filter(repl => runningCell(repl) !== undefined).length +
	[...state.conversations.values()].filter(isAsking).length;

/** Profiles of the settings. Enter switches to one. */
export const profileList = chooser({kind: 'profiles'}, ({get}) => {
	const {profiles, serviceName: present, isLocal} = get();
	const stops = running(get());
	const choices: readonly Choice[] = [
		...(profiles ?? []).map(({name, title, host, hasKey, readOnly}): Choice => {
			const isPresent = title === present;
			return {
				text: `${isPresent ? glyph.chosen : glyph.notChosen} ${title}${readOnly ? '   read-only' : ''}${hasKey ? '' : '   no key yet: sign in'}`,
				note: host,
				enterLabel: hasKey ? 'use' : 'sign in',
				choose: () =>
					!hasKey
						? profileAccess(get).openSignIn(title)
						: isPresent
							? `${title} is the current profile`
							: profileAccess(get).switchProfile(name),
			};
		}),
		{
			text: '  Sign in to a service',
			note: 'address and API key',
			enterLabel: 'sign in',
			choose: () => profileAccess(get).openSignIn(''),
		},
		...(isLocal
			? [
					{
						text: '  SSH hosts',
						note: 'compute options of your own',
						enterLabel: 'show',
						choose: () => sshHosts(get).openHosts(),
					},
				]
			: []),
	];
	return {
		title:
			stops === 0
				? 'Profiles'
				: `Profiles (switching stops ${stops === 1 ? 'a running cell or answer' : `${stops} running cells or answers`})`,
		empty: 'No profile matches.',
		choicesFor: typed => fuzzyFilter(typed, choices, ({text}) => text),
	};
});
