{{- define "assay.labels" -}}
app.kubernetes.io/name: assay
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .program }}
{{- end }}

{{- define "assay.commonLabels" -}}
{{ include "assay.labels" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version }}
{{- end }}

{{- define "assay.name" -}}
{{ printf "%s-%s" .root.Release.Name .program | trunc 63 | trimSuffix "-" }}
{{- end }}

{{/* YAML reads a whole number as one with a point; as text it must be what was written. */}}
{{- define "assay.text" -}}
{{- if kindIs "float64" . -}}{{ printf "%.0f" . }}{{- else -}}{{ toString . }}{{- end -}}
{{- end }}

{{/* What a program takes of `settings` and, by reference, of the Secret. settings.yaml is made from the programs' definitions. */}}
{{- define "assay.environment" -}}
{{- $root := .root }}
{{- $definitions := $root.Files.Get "settings.yaml" | fromYaml }}
{{- range $name := index $definitions.programs .program }}
{{- if hasKey $root.Values.settings $name }}
- name: {{ $name }}
  value: {{ include "assay.text" (index $root.Values.settings $name) | quote }}
{{- else if hasKey $root.Values.secrets $name }}
- name: {{ $name }}
  valueFrom: { secretKeyRef: {{ index $root.Values.secrets $name | toJson }} }
{{- else if has $name $definitions.sealed }}
- name: {{ $name }}
  valueFrom: { secretKeyRef: { name: {{ $root.Values.existingSecret }}, key: {{ $name }}, optional: true } }
{{- end }}
{{- end }}
{{- if or $root.Values.customCa.secret $root.Values.customCa.configMap }}
- name: NODE_EXTRA_CA_CERTS
  value: /etc/assay/ca/{{ $root.Values.customCa.key }}
{{- end }}
{{- end }}

{{/* Who a pod runs as; nothing where that is the namespace's own. */}}
{{- define "assay.serviceAccount" -}}
{{- $account := .root.Values.serviceAccount }}
{{- if and $account.create (eq .program "migrate") }}{{ include "assay.name" . }}
{{- else if $account.create }}{{ $account.name | default .root.Release.Name }}
{{- else }}{{ $account.name }}
{{- end }}
{{- end }}

{{- define "assay.pod" -}}
automountServiceAccountToken: false
enableServiceLinks: false
{{- with include "assay.serviceAccount" . }}
serviceAccountName: {{ . }}
{{- end }}
{{- with .root.Values.priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
securityContext:
  runAsNonRoot: true
  runAsUser: 1000
  runAsGroup: 1000
  fsGroup: 1000
  seccompProfile: { type: RuntimeDefault }
{{- with .root.Values.imagePullSecrets }}
imagePullSecrets: {{- toYaml . | nindent 2 }}
{{- end }}
volumes:
  - name: tmp
    emptyDir: {}
{{- with .root.Values.customCa }}
{{- if .secret }}
  - name: ca
    secret: { secretName: {{ .secret }} }
{{- else if .configMap }}
  - name: ca
    configMap: { name: {{ .configMap }} }
{{- end }}
{{- end }}
{{- with .root.Values.volumes }}
{{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{- define "assay.container" -}}
name: {{ .program }}
image: "{{ .root.Values.image.repository }}:{{ .root.Values.image.tag | default .root.Chart.AppVersion }}"
imagePullPolicy: {{ .root.Values.image.pullPolicy }}
args: {{ .args | default (list .program) | toJson }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: { drop: [ALL] }
volumeMounts:
  - name: tmp
    mountPath: /tmp
{{- if or .root.Values.customCa.secret .root.Values.customCa.configMap }}
  - name: ca
    mountPath: /etc/assay/ca
    readOnly: true
{{- end }}
{{- with .root.Values.volumeMounts }}
{{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}
