/** A sentence of the server that has an operator's reason; '' for any other. */
export const sentenceOfOperator = (message: string): string =>
  message.startsWith('An operator has ') ? message : '';
