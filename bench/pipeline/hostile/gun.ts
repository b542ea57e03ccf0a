/** One way in which a hostile tenant sends, and how fast. */
export interface Gun {
  readonly name: string
  readonly aMinute: number
  /** How many may be under way at once; nobody has endless connections. */
  readonly connections: number
  readonly fire: (number: number) => Promise<Fired>
}

export interface Fired {
  /** 0: no answer came. */
  readonly status: number
  /** What a refusal says to wait, in seconds. */
  readonly waits: number
}

export const NO_ANSWER: Fired = { status: 0, waits: 0 }

const TIMEOUT_MS = 60_000

/** Posts a body, which is JSON unless the headers say another type. */
export const send = async (
  url: string,
  body: Buffer,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal = AbortSignal.timeout(TIMEOUT_MS),
): Promise<Fired> => {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: new Uint8Array(body),
    signal,
  })
  await response.arrayBuffer()
  return { status: response.status, waits: Number(response.headers.get('retry-after') ?? 0) }
}
