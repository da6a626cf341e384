import {useEffect, useMemo} from 'react';
import {useMarkdown} from '../core/components/markdown.ts';
import {elsewhereCount} from '../core/dialogs/omnibox.ts';
import {useApp, useGetState, useFields} from '../core/store-context.ts';
import {useListWait} from '../core/components/use-list-wait.ts';
import {listRhythm, useNow} from '../core/use-now.ts';
import {list} from './keys.ts';
import {topOf, environmentList} from './environments.ts';
import {serversByEnvironment} from './ports.ts';
import {descriptionLines, environmentWidths, EnvironmentsView, LONGEST} from './view.tsx';
import type {ScreenProps} from '../core/feature.ts';

export const EnvironmentsScreen = ({rect}: ScreenProps) => {
	const get = useGetState();
	const {environments, connection} = useFields('environments', 'connection');
	const usedBy = useApp(({app}) => serversByEnvironment(app));
	const focused = useApp(state => state.dialogs.length === 0);
	const wait = useListWait(environments, 'environments');
	const now = useNow(listRhythm(environments));
	const {rows, view, filtering, cursor} = list.useView();
	const isNone = rows.length === 0;
	const elsewhere = useApp(state => (isNone ? elsewhereCount(state, 'environments') : 0));
	const environment = rows[cursor];
	const contents = useApp(state => state.contents.get(environment?.environment_id ?? ''));
	const top = useApp(state => topOf(state, environment?.environment_id));
	const {description: width} = environmentWidths(rect.width);
	const length = top > 0 ? LONGEST : (rect.height + 2) * width;
	const look = useApp(state => state.look);
	const markdown = useMarkdown();
	const description = useMemo(
		() =>
			descriptionLines(
				environment,
				usedBy.get(environment?.environment_id ?? '') ?? [],
				contents,
				width,
				length,
			),
		// Depends on the appearance and on the Markdown renderer too: both change the text.
		[environment, usedBy, contents, width, length, look, markdown],
	);
	useEffect(() => {
		if (get().environments.status === 'idle') void environmentList(get).refreshEnvironments();
	}, [get]);
	return (
		<EnvironmentsView
			{...{
				environments,
				rows,
				view,
				filtering,
				elsewhere,
				connection,
				wait,
				usedBy,
				description,
				cursor,
				focused,
				now,
				top,
			}}
			width={rect.width}
			height={rect.height}
		/>
	);
};
