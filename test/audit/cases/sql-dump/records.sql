-- PostgreSQL database dump

SET client_encoding = 'UTF8';

CREATE TABLE public.users (
    id bigint NOT NULL,
    email text
);

CREATE TABLE public.job_executions (
    id bigint NOT NULL,
    dedupe_key text NOT NULL,
    job_id text,
    status text,
    attempt integer,
    started_at timestamp with time zone,
    finished_at timestamp with time zone
);

CREATE TABLE public.processed_messages (
    message_id text,
    status text,
    processed_at timestamp with time zone
);

COPY public.users (id, email) FROM stdin;
1	ada@example.com
\.

COPY public.job_executions (id, dedupe_key, job_id, status, attempt, started_at, finished_at) FROM stdin;
1	k\t1	11	succeeded	1	2026-03-01 10:00:00+00	2026-03-01 10:00:01+00
2	k\t1	11	succeeded	1	2026-03-01 10:05:00+00	2026-03-01 10:05:01+00
3	k2	12	running	1	2026-03-01 10:00:00+00	\N
\.

COPY public.processed_messages (message_id, status, processed_at) FROM stdin;
m1	processed	2026-03-01 10:00:00+00
\.

ALTER TABLE ONLY public.processed_messages
    ADD CONSTRAINT processed_messages_pkey PRIMARY KEY (message_id);
