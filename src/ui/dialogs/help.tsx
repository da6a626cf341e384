import {isPane} from '../../store/route.ts';
import {fuzzyFilter} from '../../text/fuzzy.ts';
import type {Rect} from '../frame/layout.ts';
import {actionsOf, PLACES, type PlacedScope} from '../keys/actions.ts';
import {keyPath} from '../keys/scopes.ts';
import {useApp, useGetState} from '../store-context.ts';
import {Chooser} from './chooser.tsx';
import {useActionChoice} from './palette.tsx';

/** Every key that works where the user was: typing searches, Enter does what the key does. */
export const Help = ({body}: {readonly body: Rect}) => {
	const get = useGetState();
	const choiceOf = useActionChoice();
	const screen = useApp(state => state.screen);
	const readOnly = useApp(state => state.readOnly);
	const items = keyPath({...get(), dialogs: []}).scopes.filter((scope): scope is PlacedScope => scope in PLACES).flatMap(scope => actionsOf(get(), scope, true));
	return (
		<Chooser title={`Keys ${isPane(screen) ? 'of this pane' : 'of this screen'}${readOnly ? ', read-only' : ''}`} body={body} empty="No key here does that. Ctrl-P knows every action."
			choicesFor={typed => fuzzyFilter(typed, items.map(choiceOf), ({text, note}) => `${text} ${note ?? ''}`)}/>
	);
};
