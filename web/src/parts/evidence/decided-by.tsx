import { Text } from '@mantine/core'
import type { Output } from '../../api/client.ts'
import { t } from '../../language/messages.ts'
import { rich } from '../../language/rich.ts'
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
      ` ${t('in the app')}`
    ) : (
      <> {rich('through the key {key_label}', { key_label: <bdi>{key_label}</bdi> })}</>
    )}
    , <When at={made_at} />
    {carried_out_by !== null &&
      rich(', carried out by {carried_out_by}', { carried_out_by: <bdi>{carried_out_by}</bdi> })}
    {reversed_by !== null && <>{rich(', reversed by {reference}', { reference: <Reference of={reversed_by} /> })}</>}
    {reverses !== null && <>{rich(', reverses {reference}', { reference: <Reference of={reverses} /> })}</>}
  </Text>
)
