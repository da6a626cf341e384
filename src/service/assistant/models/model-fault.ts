/** Why a model did not answer, or not to the end: sentences for the user, free of keys. */
export class ModelFault extends Error {
	/** The words of the model server: shown, but kept out of the log, since they may quote the conversation. */
	readonly detail: string;
	constructor(message: string, detail = '') {
		super(message);
		this.detail = detail;
	}
}
