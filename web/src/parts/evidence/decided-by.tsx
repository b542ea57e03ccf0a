import { Text } from '@mantine/core'
import type { Output } from '../../api/client.ts'
import { Reference } from '../reference.tsx'
import { When } from '../when.tsx'

interface Props {
  readonly decision: Output<'lookup_decision'>['items'][number]
}

/** Who decided, through what, and when; and whether it was taken back. */
export const DecidedBy = ({
  decision: { made_by, via: through, key_label, made_at, carried_out_by, reversed_by, reverses },
}: Props) => (
  <Text size="xs" c="dimmed" component="div">
    <bdi>{made_by}</bdi>
    {through === 'app' ? (
      ' in the app'
    ) : (
      <>
        {' through the key '}
        <bdi>{key_label}</bdi>
      </>
    )}
    , <When at={made_at} />
    {carried_out_by !== null && (
      <>
        , carried out by <bdi>{carried_out_by}</bdi>
      </>
    )}
    {reversed_by !== null && (
      <>
        , reversed by <Reference of={reversed_by} />
      </>
    )}
    {reverses !== null && (
      <>
        , reverses <Reference of={reverses} />
      </>
    )}
  </Text>
)
