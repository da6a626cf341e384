/** Reason why a model did not finish its answer: sentences for the user, without keys. */
export class ModelFault extends Error {
	/** The model server's message. Shown but not logged, because it may quote the conversation. */
	readonly detail: string;
	constructor(message: string, detail = '') {
		super(message);
		this.detail = detail;
	}
}
