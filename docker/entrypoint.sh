#!/bin/sh
# Starts one role of the service; anything else is handed to manage.py (`... createsuperuser`).
set -eu

role="${1:-web}"
case "$role" in
web)
    # The API, under WSGI: threads keep their database connections.
    exec granian --interface wsgi --host 0.0.0.0 --port 8000 \
        --workers "${WEB_WORKERS:-2}" --blocking-threads "${WEB_THREADS:-4}" \
        --respawn-failed-workers --workers-kill-timeout 10 config.wsgi:application
    ;;
streams)
    # What waits, under ASGI: each open stream is a request under way, hence the large limits.
    exec granian --interface asginl --host 0.0.0.0 --port 8000 --no-ws \
        --workers 1 --backlog 4096 --backpressure 4096 \
        --respawn-failed-workers --workers-kill-timeout 3 config.asgi:streams
    ;;
worker)
    exec celery --quiet -A config worker --loglevel INFO \
        --concurrency "${WORKER_PROCESSES:-2}" --without-gossip --without-mingle
    ;;
beat)
    # One beat only. What it remembers may be lost: the tasks repeat every few seconds.
    exec celery --quiet -A config beat --loglevel WARNING --schedule /tmp/beat --pidfile ''
    ;;
migrate)
    exec python manage.py migrate --no-input
    ;;
*)
    exec python manage.py "$@"
    ;;
esac
