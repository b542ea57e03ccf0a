/** One event of a stream: what it is called, and its data as it was written. */
export interface LiveEvent {
  readonly event: string
  readonly data: string
}

/** Splits a `text/event-stream` as it comes into events. Comments, which keep the stream alive, are left out. */
export const createEventReader = () => {
  let rest = ''
  return (chunk: string): readonly LiveEvent[] => {
    const blocks = (rest + chunk).split('\n\n')
    rest = blocks.pop() ?? ''
    return blocks.flatMap(block => {
      const fields = block.split('\n').map(line => /^(event|data): ?(.*)$/.exec(line))
      const fieldOf = (name: string) => fields.find(field => field?.[1] === name)?.[2]
      const data = fieldOf('data')
      return data === undefined ? [] : [{ event: fieldOf('event') ?? 'message', data }]
    })
  }
}
