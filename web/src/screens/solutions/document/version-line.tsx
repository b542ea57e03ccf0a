import { Text } from '@mantine/core'
import type { Output } from '../../../api/client.ts'
import { t } from '../../../language/messages.ts'
import { Reference } from '../../../parts/reference.tsx'
import { When } from '../../../parts/when.tsx'
import { ByLine } from '../by-line.tsx'
import classes from '../solution.module.css'

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
