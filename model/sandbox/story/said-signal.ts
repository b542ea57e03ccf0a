/** Where a signal came from. */
export type Sender = 'desk' | 'survey' | 'mail' | 'code'

/** Who, how many days ago, from where, about which node; what was said. */
export type SaidSignal = readonly [actor: string, days: number, sender: Sender, node: string | null, text: string]
