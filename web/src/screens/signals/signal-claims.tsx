import { Stack, Text, Title } from '@mantine/core'
import { Reference } from '../../parts/reference.tsx'
import type { Signal } from './signal-facts.tsx'

interface Props {
  readonly signal: Signal
}

/** The claims that a signal is evidence of. */
export const SignalClaims = ({ signal: { claims, classification } }: Props) => (
  <section aria-labelledby="claims">
    <Title order={2} id="claims" mb="sm">
      Evidence of
    </Title>
    {claims.length === 0 ? (
      <Text size="sm" c="dimmed">
        No claim. {classification === 'question' && 'A question starts none by itself: promote it if it tells of one.'}
      </Text>
    ) : (
      <Stack component="ul" gap="xs" m={0} p={0}>
        {claims.map(({ id, reference, title }) => (
          <Text component="li" key={id} size="sm" style={{ listStyle: 'none', overflowWrap: 'anywhere' }}>
            <Reference of={reference} /> <bdi>{title}</bdi>
          </Text>
        ))}
      </Stack>
    )}
  </section>
)
