import { Group, Stack, Text } from '@mantine/core'
import { Quote } from '../../parts/quote.tsx'
import type { Sample } from './transfer.ts'

/** The service cuts a sample’s text: what it sends is shown. */
const SHOWN_CHARACTERS = 600

interface Props {
  readonly sample: readonly Sample[]
}

/** The first records of a file as the Signals that they would become. */
export const SampleList = ({ sample }: Props) => (
  <Stack component="ol" gap="md" m={0} p={0} style={{ listStyle: 'none' }}>
    {sample.map(({ line, signal, refused }) => (
      <Group key={line} component="li" wrap="nowrap" align="flex-start" gap="md">
        <Text size="xs" c="dimmed" w={52} pt={2} style={{ flexShrink: 0 }}>
          Line {line}
        </Text>
        <Stack gap={2} miw={0} flex={1}>
          {signal === null ? (
            <Text size="sm" c="var(--mantine-color-error)">
              Refused: {refused}
            </Text>
          ) : (
            <>
              <Quote text={signal.text} most={SHOWN_CHARACTERS} />
              <Text size="xs" c="dimmed" component="bdi" style={{ overflowWrap: 'anywhere' }}>
                {factsOf(signal).join(' · ')}
              </Text>
            </>
          )}
        </Stack>
      </Group>
    ))}
  </Stack>
)

const MOST_CHARACTERS = 300

/** What else a Signal says of itself, each with its name. */
const factsOf = (signal: NonNullable<Sample['signal']>): readonly string[] => {
  const { text: _, metadata, ...fields } = signal
  const facts = Object.entries(fields).map(([name, value]) => `${name} ${value}`)
  const kept = metadata === undefined ? [] : [`metadata ${JSON.stringify(metadata)}`]
  return [...facts, ...kept].map(fact => (fact.length > MOST_CHARACTERS ? `${fact.slice(0, MOST_CHARACTERS)}…` : fact))
}
