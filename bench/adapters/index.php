<?php
/* What peers/work.h does, for the varied loads alone, as a page of PHP. */
const ID = 16, LEAST = 200, MOST = 3000, ANSWER = 1024, END = "</answer>\n";

function page(): ?string
{
    $query = $_SERVER['QUERY_STRING'];
    $id = substr($query, 4, ID);
    $path = explode('?', $_SERVER['REQUEST_URI'], 2)[0];
    if (!str_starts_with($query, 'rid=') || !str_ends_with($path, $id) || !str_starts_with($_SERVER['HTTP_COOKIE'] ?? '', "sid=$id")) {
        return null;
    }
    $body = file_get_contents('php://input');
    $length = strlen($body);
    if ($_SERVER['REQUEST_METHOD'] === 'POST') {
        if ($length < LEAST || $length > MOST || !str_starts_with($body, "{\"id\":\"$id")) {
            return null;
        }
    } elseif ($_SERVER['REQUEST_METHOD'] !== 'GET' || $length > 0) {
        return null;
    }
    return str_pad(sprintf("<?xml version=\"1.0\"?>\n<answer id=\"%s\" length=\"%04d\">", $id, $length), ANSWER - strlen(END), 'a') . END;
}

$page = page();
http_response_code($page === null ? 500 : 200);
header('Content-Type: text/xml');
header('Content-Length: ' . strlen($page ?? ''));
echo $page;
