import { Stack, Text, Title } from '@mantine/core'
import { IconLock } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { Output } from '../../../api/client.ts'
import { Copyable } from '../../../parts/copyable.tsx'
import { Quote } from '../../../parts/quote.tsx'
import { Reference } from '../../../parts/reference.tsx'

type Inspected = Output<'inspect_dead_letter'>

interface Props {
  readonly of: Inspected
  /** The Signal that it became since, or that it repeats. */
  readonly signal: string | null
}

/** What of a record is shown beside it. The record is of whatever version: only these parts of it are looked for. */
interface Shown {
  readonly content?: { readonly text?: string } | null
  readonly scrubbed?: { readonly replaced?: Readonly<Record<string, number>> } | null
}

/** What was replaced in a record, in words: `2 EMAIL, 1 PHONE replaced`. */
const replacedIn = ({ scrubbed }: Shown): string => {
  const told = Object.entries(scrubbed?.replaced ?? {}).map(([kind, count]) => `${count} ${kind}`)
  return told.length === 0 ? 'no personal data was found in it' : `${told.join(', ')} replaced`
}

/** The payload before personal data was removed, which nobody sees; as the step got it; and what became of it since. */
export const Payload = ({ of: { deadLetter, record, withheld }, signal }: Props) => (
  <Stack gap="sm">
    <Title order={3}>Payload</Title>
    <Part title="As it was sent">
      <IconLock size={13} aria-hidden style={{ verticalAlign: '-2px' }} />{' '}
      {deadLetter.sealed
        ? 'Sealed: it may hold personal data. Only a replay opens it.'
        : 'Not kept: it may have held personal data, which was removed before the step.'}
    </Part>
    {record === null ? (
      <Part title={`As ${deadLetter.step} got it`}>{withheld}</Part>
    ) : (
      <>
        <Part title={`As ${deadLetter.step} got it, ${replacedIn(record)}`}>
          <Quote text={(record as Shown).content?.text ?? ''} />
        </Part>
        <Copyable label="Its record" text={JSON.stringify(record, null, 2)} />
      </>
    )}
    <Part title="Since then">
      {signal === null ? (
        deadLetter.state === 'waiting' ? (
          'Nothing: it waits.'
        ) : (
          `It was ${deadLetter.state}, and is no signal.`
        )
      ) : (
        <>
          It was processed, as <Reference of={signal} />.
        </>
      )}
    </Part>
  </Stack>
)

const Part = ({ title, children }: { readonly title: string; readonly children: ReactNode }) => (
  <div>
    <Text size="xs" c="dimmed">
      {title}
    </Text>
    <Text size="sm" component="div">
      {children}
    </Text>
  </div>
)
