import { Text } from '@mantine/core'
import type { Output } from '../../../api/operations.ts'
import { t } from '../../../language/messages.ts'
import { Reference, When } from '../../../parts/inline.tsx'
import classes from '../solution.module.css'
import { ByLine } from '../solution-parts.tsx'

export type Version = Output<'lookup_living_document'>['items'][number]

/** Which version it is, by whom, through what and on which Decision. */
export const VersionLine = ({ version: of }: { readonly version: Version }) => (
  <Text size="xs" c="dimmed" component="div" className={classes.about} mt={0}>
    <Text span fz="sm" fw={600} c="var(--mantine-color-text)">
      {t('Version {version}', { version: of.version })}
    </Text>
    <ByLine name={of.author_name} label={of.key_label} />
    <When at={of.written_at} />
    <Reference of={of.decision} />
  </Text>
)
