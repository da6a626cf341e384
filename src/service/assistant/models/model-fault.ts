/**
 * Reason why a model did not finish its answer. The message is for the user and contains no keys.
 */
export class ModelFault extends Error {
	/**
	 * Error message of the model server. It is shown but not logged, because it may quote the
	 * conversation.
	 */
	readonly detail: string;
	constructor(message: string, detail = '') {
		super(message);
		this.detail = detail;
	}
}
