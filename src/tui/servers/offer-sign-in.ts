import {keyPath} from '../core/keys/scopes.ts';
import type {State} from '../core/program.ts';
import {openSignIn} from '../core/ports.ts';

/** Opens the sign-in once if the service rejects the key, and never while the user types. */
export const signInOffer = (
	get: () => State,
): {
	refused(): void;
	accepted(): void;
	/** Must be called after each change of the state. */
	offer(): void;
} => {
	let step: 'not needed' | 'due' | 'offered' = 'not needed';
	const offer = (): void => {
		if (step !== 'due') return;
		const state = get();
		const isSigningIn = state.dialogs.some(({kind}) => kind === 'sign-in');
		if (!isSigningIn && (state.dialogs.length > 0 || state.chord !== null || keyPath(state).text)) return;
		step = 'offered';
		if (!isSigningIn) openSignIn(get);
	};
	return {
		offer,
		refused() {
			if (step === 'not needed') step = 'due';
			offer();
		},
		accepted() {
			step = 'not needed';
		},
	};
};
